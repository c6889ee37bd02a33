import {
  type CreateNodeOptions,
  Document,
  type DocumentOptions,
  type SchemaOptions,
  stringify,
  type ToStringOptions,
  visit,
} from 'yaml'

/**
 * dbt v1 reads YAML 1.1, dbt v2 has a reader of its own: `compat` quotes whatever one of them would take for
 * something else than text (`no`, `12:30`, `2024-01-01`). Lines are 80 long once the templates have indented
 * them.
 */
const OPTIONS: DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions = {
  compat: 'yaml-1.1',
  lineWidth: 74,
  aliasDuplicateObjects: false,
  directives: false,
}

/** A block scalar that keeps the empty lines behind it. */
const KEEPING = /[|>]\d?\+$/m

/** A scalar stands behind a key, at whatever indentation, so that it stays on its line. */
const SCALAR_OPTIONS = { ...OPTIONS, lineWidth: 0, blockQuote: false } as const

/** A list or object as block YAML, a scalar on one line; without the line end. */
export function printYaml(value: unknown): string {
  if (typeof value !== 'object') return stringify(value, SCALAR_OPTIONS).replace(/\n$/, '')
  const text = stringify(value, OPTIONS)
  return (KEEPING.test(text) ? printQuoted(value) : text).replace(/\n$/, '')
}

/** Texts that end in empty lines in quotes, because templates put empty lines behind what they print. */
function printQuoted(value: unknown): string {
  const document = new Document(value, OPTIONS)
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.endsWith('\n')) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString(OPTIONS)
}
