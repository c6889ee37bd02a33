import {
  findCalls,
  type FoundCall,
  type ModelReference,
  referencesOf,
  type SourceReference,
} from '@stagecraft/dbt'
import type { PropertiesFile } from './properties-file.ts'
import { placeOfLine, type Place, type SourceFile } from './source-file.ts'

/** A `ref`, `source` or `doc` with its place. */
export interface PlacedReference {
  readonly place: Place
  /** The target of a `ref`. */
  readonly model?: ModelReference
  /** The target of a `source`. */
  readonly source?: SourceReference
  /** The target of a `doc`: the name of the block, and its package if given. */
  readonly docs?: { readonly name: string; readonly package?: string }
  /** The known arguments of a `source` or `ref` with other, computed arguments. */
  readonly dynamic?: { readonly call: 'ref' | 'source'; readonly first?: string }
}

/** Keys whose values are expressions in Jinja without braces. */
const EXPRESSION_KEYS = new Set(['to', 'depends_on', 'model', 'input', 'relation', 'compare_model'])

/** @param calls All calls of the file, if it is SQL and they are known. */
export function referencesInTemplate(
  file: SourceFile,
  calls?: readonly FoundCall[],
): readonly PlacedReference[] {
  return file.path.endsWith('.py')
    ? referencesInPython(file)
    : (calls ?? findCalls(file.text)).flatMap(
        (call) => toReference(call, placeOfCall(file, call.offset)) ?? [],
      )
}

function referencesInPython(file: SourceFile): readonly PlacedReference[] {
  return [...file.text.matchAll(/\bdbt\s*\.\s*(ref|source)\s*\([^()]{0,500}\)/g)].flatMap(
    ({ 0: text, index }) => {
      const [call] = findCalls(`{{ ${text} }}`)
      return (call && toReference(call, { path: file.path, start: index, end: index + text.length })) ?? []
    },
  )
}

export function referencesInProperties({ file, texts }: PropertiesFile): readonly PlacedReference[] {
  return texts().flatMap(({ key, place, text }) => {
    const isBare = EXPRESSION_KEYS.has(key) && /^\s*(?:ref|source)\s*\(/.test(text)
    const calls = isBare ? findCalls(`{{ ${text} }}`) : text.includes('{{') ? findCalls(text) : []
    return calls.flatMap((call) => toReference(call, narrow(file, place, call)) ?? [])
  })
}

/** Returns the place of a call in a scalar: its name, or the whole scalar. */
function narrow(file: SourceFile, place: Place, { name }: FoundCall): Place {
  const written = file.text.slice(place.start, place.end)
  const first = written.indexOf(`${name}(`)
  const isOnly = first !== -1 && written.indexOf(`${name}(`, first + 1) === -1
  return isOnly ? placeOfCall(file, place.start + first) : firstLine(file, place)
}

function firstLine(file: SourceFile, place: Place): Place {
  const end = file.text.indexOf('\n', place.start)
  return { ...place, end: end === -1 ? place.end : Math.min(end, place.end) }
}

function toReference(call: FoundCall, place: Place): PlacedReference | undefined {
  const name = call.name.replace(/^(?:builtins|dbt)\./, '')
  const [first, second] = call.positional
  if (name === 'doc') {
    if (typeof first !== 'string') return undefined
    return typeof second === 'string'
      ? { place, docs: { name: second, package: first } }
      : { place, docs: { name: first } }
  }
  if (name !== 'ref' && name !== 'source') return undefined
  const { models, sources } = referencesOf([call])
  const [model, source] = [models[0], sources[0]]
  if (model) return { place, model }
  if (source) return { place, source }
  return { place, dynamic: { call: name, ...(typeof first === 'string' && { first }) } }
}

/** Longer calls are shown by name alone. */
const LONGEST_CALL = 2000

/** Returns the text from the name of a call to its closing parenthesis. */
function placeOfCall({ path, text }: SourceFile, start: number): Place {
  const pattern = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]|\n\n/gs
  pattern.lastIndex = start
  let depth = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[0] === '(') depth += 1
    if (match[0] === ')') depth -= 1
    if (depth === 0 && match[0] === ')') return { path, start, end: match.index + 1 }
    if (match[0] === '\n\n' || match.index > start + LONGEST_CALL) break
  }
  const word = /^[\w.]+/.exec(text.slice(start, start + 100))?.[0] ?? ''
  return { path, start, end: start + word.length }
}

/** Returns the place for a whole model: the first line that is neither blank nor a comment. */
export function placeOfModel(file: SourceFile): Place {
  const opening = /^(?:\s+|--[^\n]*|\{#[^]*?#\}|\/\*[^]*?\*\/)*/.exec(file.text)?.[0].length ?? 0
  const offset = opening < file.text.length ? opening : 0
  const line = file.text.slice(0, offset).split('\n').length
  return placeOfLine(file, line)
}
