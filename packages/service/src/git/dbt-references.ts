import { readEntries } from './yaml-entries.ts'

/** A table of a source, as `source('…', '…')` names it. */
export interface SourceTable {
  readonly source: string
  readonly table: string
}

/** The references and declarations in a file of a dbt project. */
export interface DbtReferences {
  /** Keys of `sourceKey`. */
  readonly sources: ReadonlySet<string>
  /** Names of models. */
  readonly models: ReadonlySet<string>
  /** Keys of tables that it declares. */
  readonly declared: ReadonlySet<string>
}

const SOURCE = /\bsource\(\s*(['"])([^'"]+)\1\s*,\s*(['"])([^'"]+)\3/g
const REF = /\bref\(([^()]*)\)/g
const TEXT = /(['"])([^'"]+)\1/g
/** A unit test names its model without `ref`. */
const TESTED = /^[ \t]*(?:- +)?model: *(['"]?)([\w.-]+)\1 *$/gm

/** Returns true if dbt reads files of this name: models, properties, tests, macros, analyses. */
export function isDbtFile(path: string): boolean {
  return /\.(?:sql|py|ya?ml)$/i.test(path)
}

export function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path)
}

export function sourceKey({ source, table }: SourceTable): string {
  return JSON.stringify([source, table])
}

/** Reads the literal references in a file. Names that Jinja composes are unknown without running dbt. */
export function readReferences(path: string, text: string): DbtReferences {
  // In single quotes, YAML writes a quote twice.
  const plain = isYaml(path) ? text.replaceAll("''", "'").replaceAll('\\"', '"') : text
  const sources = [...plain.matchAll(SOURCE)].map(([, , source = '', , table = '']) =>
    sourceKey({ source, table }),
  )
  const refs = [...plain.matchAll(REF)].flatMap(([, within = '']) =>
    [...within.matchAll(TEXT)].map(([, , name = '']) => name),
  )
  const tested = isYaml(path) ? [...plain.matchAll(TESTED)].map(([, , name = '']) => name) : []
  return {
    sources: new Set(sources),
    models: new Set([...refs, ...tested]),
    declared: new Set(isYaml(path) ? declaredTables(text).map(sourceKey) : []),
  }
}

/** Returns the tables that properties declare. */
function declaredTables(text: string): readonly SourceTable[] {
  return readEntries(text).flatMap((key) =>
    key.list === 'sources' ? [{ source: key.source, table: key.name }] : [],
  )
}

/** Returns the name of a file without folders and extension, which is the model name for a code file. */
export function fileStem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}
