import type { Document } from 'yaml'
import {
  factsOf,
  findCalls,
  type FoundCall,
  lineCounter,
  type NamedBlock,
  readNamedBlocks,
  type TemplateFacts,
} from '../jinja/read-template.ts'
import { stem } from '../tree/paths.ts'
import { renamesIn, type StylePair } from './house-style.ts'
import { type PropertiesFacts, readProperties } from './properties-facts.ts'
import { callsIn } from '../jinja/calls.ts'
import { tokensOf } from '../jinja/tokens.ts'

/** The facts of one file. They do not depend on other files, so they can be cached by content. */
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

/** Receives what a file is parsed into. */
export interface ParseListener {
  /** The document of a YAML file. */
  readonly onDocument?: ((path: string, document: Document) => void) | undefined
  /** All calls in the template of a SQL file. */
  readonly onCalls?: ((path: string, calls: readonly FoundCall[]) => void) | undefined
}

type Reader = (text: string, path: string, listener: ParseListener) => FileFacts

const READERS: readonly (readonly [ending: RegExp, read: Reader])[] = [
  [/\.sql$/i, readSql],
  [/\.py$/i, (text) => ({ template: readPython(text) })],
  [
    /\.ya?ml$/i,
    (text, path, { onDocument }) => ({
      properties: readProperties(text, (document) => onDocument?.(path, document)),
    }),
  ],
  [/\.md$/i, (text) => ({ blocks: readNamedBlocks(text).filter(({ kind }) => kind === 'docs') })],
]

/** Returns true if dbt reads a file. */
export function isRead(path: string): boolean {
  return READERS.some(([ending]) => ending.test(path))
}

export function readFacts(path: string, text: string, listener: ParseListener = {}): FileFacts {
  const reader = READERS.find(([ending]) => ending.test(path))
  return reader?.[1](text, path, listener) ?? {}
}

function readSql(text: string, path: string, { onCalls }: ParseListener): FileFacts {
  const calls = findCalls(text)
  onCalls?.(path, calls)
  const blocks = /\{%-?\s*(?:macro|test|data_test|snapshot|docs)\b/.test(text) ? readNamedBlocks(text) : []
  const renames = /^(?:stg|base)_/.test(stem(path)) ? renamesIn(text) : []
  return {
    template: factsOf(calls),
    ...(blocks.length > 0 && { blocks }),
    ...(renames.length > 0 && { renames }),
  }
}

/** The longest text of a call's arguments. */
const LONGEST_CALL = 500

/** Reads the references of a Python model: `dbt.ref('orders')`, `dbt.source('shop', 'orders')`. */
function readPython(text: string): TemplateFacts {
  const lineOf = lineCounter(text)
  const calls = [...text.matchAll(/\bdbt\s*\.\s*(?:ref|source|config)\s*\(/g)].flatMap(({ index }) => {
    const [call] = callsIn(tokensOf(text.slice(index, index + LONGEST_CALL)))
    return call ? [{ ...call, name: call.name.replace('dbt.config', 'config'), line: lineOf(index) }] : []
  })
  return factsOf(calls)
}
