import { type NamedBlock, readNamedBlocks, readTemplate, type TemplateFacts } from '../jinja/read-template.ts'
import { readPython } from '../jinja/read-python.ts'
import { stem } from '../tree/paths.ts'
import { renamesIn, type StylePair } from './house-style.ts'
import { type PropertiesFacts, readProperties } from './properties-facts.ts'

/** The facts of one file, independent of any other, so that they can be kept by the content of the file. */
export interface FileFacts {
  /** Of a model, test or analysis in SQL or Python. */
  readonly template?: TemplateFacts
  /** Of macros, snapshots and docs. @default none */
  readonly blocks?: readonly NamedBlock[]
  /** Columns that a staging model renames. @default none */
  readonly renames?: readonly StylePair[]
  /** Of YAML. */
  readonly properties?: PropertiesFacts
}

const READERS: readonly (readonly [ending: RegExp, read: (text: string, path: string) => FileFacts])[] = [
  [/\.sql$/i, readSql],
  [/\.py$/i, (text) => ({ template: readPython(text) })],
  [/\.ya?ml$/i, (text) => ({ properties: readProperties(text) })],
  [/\.md$/i, (text) => ({ blocks: readNamedBlocks(text).filter(({ kind }) => kind === 'docs') })],
]

/** Says whether a file says anything to dbt. */
export function isRead(path: string): boolean {
  return READERS.some(([ending]) => ending.test(path))
}

export function readFacts(path: string, text: string): FileFacts {
  const reader = READERS.find(([ending]) => ending.test(path))
  return reader?.[1](text, path) ?? {}
}

function readSql(text: string, path: string): FileFacts {
  const blocks = /\{%-?\s*(?:macro|test|data_test|snapshot|docs)\b/.test(text) ? readNamedBlocks(text) : []
  const renames = /^(?:stg|base)_/.test(stem(path)) ? renamesIn(text) : []
  return {
    template: readTemplate(text),
    ...(blocks.length > 0 && { blocks }),
    ...(renames.length > 0 && { renames }),
  }
}
