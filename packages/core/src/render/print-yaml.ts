import {
  type CreateNodeOptions,
  Document,
  type DocumentOptions,
  Schema,
  type SchemaOptions,
  stringify,
  type ToStringOptions,
  visit,
} from 'yaml'
import { LINE_WIDTH } from './fold-text.ts'
import { isBlock, printBlock, type PrintHardText } from './print-block.ts'
import { indentLines } from './indent.ts'
import { improveTextTag } from './text-tag.ts'

type Options = DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions

/**
 * Prints a list or object as block YAML, a scalar on one line; without the line end.
 *
 * @param width Spaces before every line that is not empty. Default 0.
 */
export type YamlPrinter = (value: unknown, width?: number) => string

/**
 * Creates a printer.
 *
 * dbt v1 reads YAML 1.1, dbt v2 has a reader of its own: `compat` quotes whatever one of them would take for
 * something else than text (`no`, `12:30`, `2024-01-01`). Lines are 80 long once the templates have indented
 * them.
 */
export function createYamlPrinter(): YamlPrinter {
  const tags = improveTextTag(new Schema({ schema: 'core' }).tags)
  const options: Options = {
    compat: 'yaml-1.1',
    customTags: () => tags,
    lineWidth: LINE_WIDTH,
    aliasDuplicateObjects: false,
    directives: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  }
  // A scalar stands behind a key, at whatever indentation, so that it stays on its line.
  const scalarOptions: Options = { ...options, lineWidth: 0, blockQuote: false }
  const printHard = createHardPrinter(options)
  return (value, width = 0) => {
    if (isBlock(value)) return printBlock(value, { margin: ' '.repeat(width), printHard })
    const printed =
      typeof value === 'object'
        ? printTree(value, options)
        : stringify(value, scalarOptions).replace(/\n$/, '')
    return indentLines(printed, width)
  }
}

/** Creates what prints one text as it stands in a larger tree, at the same depth and behind the same key. */
function createHardPrinter(options: Options): PrintHardText {
  const document = new Document(undefined, options)
  return (text, { depth, key }) => {
    let tree: object = key === undefined ? [text] : { [key]: text }
    for (let level = 0; level < depth; level++) tree = { k: tree }
    document.contents = document.createNode(tree, options)
    const lead = depth * (depth - 1) + 3 * depth + 2 * depth + (key === undefined ? 1 : key.length + 1)
    return document.toString(options).slice(lead).replace(/\n$/, '')
  }
}

/** A block scalar that keeps the empty lines behind it. */
const KEEPING = /[|>]\d?\+$/m

function printTree(tree: unknown, options: Options): string {
  const text = stringify(tree, options)
  return (KEEPING.test(text) ? printQuoted(tree, options) : text).replace(/\n$/, '')
}

/** Texts that end in empty lines in quotes, because templates put empty lines behind what they print. */
function printQuoted(tree: unknown, options: Options): string {
  const document = new Document(tree, options)
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.endsWith('\n')) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString(options)
}
