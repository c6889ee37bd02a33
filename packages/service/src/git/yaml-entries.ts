import { type Document, isMap, isSeq, parse, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'

/** Lists of properties whose entries must have unique names in dbt. */
const NAMED_LISTS = ['models', 'seeds', 'snapshots', 'analyses'] as const

/** Names an entry of a file of properties: a table of a source, or the properties of a model. */
export type EntryKey =
  | { readonly list: 'sources'; readonly source: string; readonly name: string }
  | { readonly list: (typeof NAMED_LISTS)[number]; readonly name: string }

type Value = Readonly<Record<string, unknown>>

/** Returns the entries of a file; empty for a text that dbt refuses. */
export function readEntries(text: string): readonly EntryKey[] {
  const properties = parsed(text)
  const tables = listOf(properties, 'sources').flatMap((source) =>
    listOf(source, 'tables').flatMap((table) => {
      const [one, name] = [nameOf(source), nameOf(table)]
      return one === undefined || name === undefined ? [] : [{ list: 'sources', source: one, name } as const]
    }),
  )
  const named = NAMED_LISTS.flatMap((list) =>
    listOf(properties, list).flatMap((entry) => {
      const name = nameOf(entry)
      return name === undefined ? [] : [{ list, name } as const]
    }),
  )
  return [...tables, ...named]
}

/** Returns an entry in a form that can be compared. */
export function printKey(key: EntryKey): string {
  return JSON.stringify(key.list === 'sources' ? [key.list, key.source, key.name] : [key.list, key.name])
}

/** The place of a source table in the warehouse, as far as the properties state it. */
export interface TablePlace {
  readonly database: string | undefined
  readonly schema: string
  readonly identifier: string
}

/** Returns the place of a table that the text declares. */
export function placeOfTable(text: string, source: string, name: string): TablePlace | undefined {
  const found = listOf(parsed(text), 'sources').filter((one) => nameOf(one) === source)
  for (const one of found) {
    const table = listOf(one, 'tables').find((entry) => nameOf(entry) === name)
    if (table === undefined) continue
    return {
      database: textMember(one, 'database'),
      schema: textMember(one, 'schema') ?? source,
      identifier: textMember(table, 'identifier') ?? name,
    }
  }
  return undefined
}

/**
 * Puts entries of an earlier version of properties into the next one. Lines of both stay as they are.
 *
 * @returns Undefined if that cannot be done.
 */
export function keepEntries(text: string, before: string, keys: readonly EntryKey[]): string | undefined {
  let result = text
  for (const key of keys) {
    const expected = [...readEntries(result), key]
    const next = addLines(result, before, key) ?? addNodes(result, before, key)
    if (next === undefined || !hasEntries(next, expected)) return undefined
    result = next
  }
  return result
}

/**
 * Takes entries out of properties. Other lines stay as they are.
 *
 * @returns Undefined if that cannot be done.
 */
export function dropEntries(text: string, keys: readonly EntryKey[]): string | undefined {
  let result = text
  for (const key of keys) {
    const dropped = printKey(key)
    const expected = readEntries(result).filter((one) => printKey(one) !== dropped)
    const next = [dropLines(result, key), dropNodes(result, key)].find(
      (one) => one !== undefined && hasEntries(one, expected),
    )
    if (next === undefined) return undefined
    result = next
  }
  return result
}

function hasEntries(text: string, expected: readonly EntryKey[]): boolean {
  const keys = new Set(expected.map(printKey))
  const found = readEntries(text).map(printKey)
  return found.length === keys.size && found.every((key) => keys.has(key))
}

/** The lines of the entry, in the order of names where there is one; undefined unless both are lists in blocks. */
function addLines(text: string, before: string, key: EntryKey): string | undefined {
  const from = findList(parseDocument(before), key)
  const to = findList(parseDocument(text), key)
  if (!from || !to || from.flow === true || to.flow === true) return undefined
  const entry = findItem(from, key)
  const next = to.items.find((item) => isMap(item) && (textOf(item, 'name') ?? '') > key.name)
  const place = isSorted(to) && next !== undefined ? next : to.items.at(-1)
  if (!entry?.range || !isMap(place) || !place.range) return undefined
  const lines = linesOf(before, entry.range)
  const target = linesOf(text, place.range)
  if (lines === undefined || target === undefined) return undefined
  const moved = lines.rows.map((row) =>
    row.trim() === '' ? '' : `${' '.repeat(target.indent)}${row.slice(lines.indent)}`,
  )
  const isFirst = place === next
  const at = isFirst ? target.start : target.end
  const head = text.slice(0, at).replace(/([^\n])$/, '$1\n')
  const space = isSpaced(before, lines) ? '\n' : ''
  return `${head}${isFirst ? '' : space}${moved.join('\n')}\n${isFirst ? space : ''}${text.slice(at)}`
}

function dropLines(text: string, key: EntryKey): string | undefined {
  const list = findList(parseDocument(text), key)
  const range = list && findItem(list, key)?.range
  const lines = range && linesOf(text, range)
  if (!list || list.items.length === 1 || !lines) return undefined
  const [before, after] = [text.slice(0, lines.start), text.slice(lines.end)]
  // One of the blank lines around an entry is removed with it.
  if (!isSpaced(text, lines)) return before + after
  return after === '' ? before.replace(/\n$/, '') : before + after.replace(/^\n/, '')
}

/** Returns true if a blank line is beside an entry. */
function isSpaced(text: string, { end, start }: EntryLines): boolean {
  return text.slice(0, start).endsWith('\n\n') || text.startsWith('\n', end)
}

function isSorted({ items }: YAMLSeq): boolean {
  const names = items.map((item) => (isMap(item) ? (textOf(item, 'name') ?? '') : ''))
  return names.every((name, index) => index === 0 || (names[index - 1] ?? '') <= name)
}

interface EntryLines {
  readonly rows: readonly string[]
  /** The position of the dash. */
  readonly indent: number
  /** The range of the lines in the text. */
  readonly start: number
  readonly end: number
}

function linesOf(text: string, [start, end]: readonly [number, number, number]): EntryLines | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const dash = /^( *)- +$/.exec(text.slice(lineStart, start))
  if (!dash) return undefined
  const body = text.slice(lineStart, end).trimEnd()
  const rows = body.split('\n')
  const indent = dash[1]?.length ?? 0
  if (rows.some((row) => row.trim() !== '' && row.search(/\S/) < indent)) return undefined
  const lineEnd = text.indexOf('\n', lineStart + body.length)
  return { rows, indent, start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1 }
}

/** Returns the entry as a value, for properties in another form and for missing lists. */
function addNodes(text: string, before: string, key: EntryKey): string | undefined {
  const document = parseDocument(text)
  const old = valueOf(before, key)
  if (old === undefined) return undefined
  const list = findList(document, key)
  if (list) list.add(document.createNode(old.entry))
  else {
    const value = key.list === 'sources' ? { ...old.source, tables: [old.entry] } : old.entry
    const outer = document.get(key.list)
    if (isSeq(outer)) outer.add(document.createNode(value))
    else document.set(key.list, document.createNode([value]))
  }
  return document.toString({ lineWidth: 0 })
}

/** Removes a source together with its last table. */
function dropNodes(text: string, key: EntryKey): string | undefined {
  const document = parseDocument(text)
  const list = findList(document, key)
  if (!list) return undefined
  list.items = list.items.filter((item) => !isMap(item) || textOf(item, 'name') !== key.name)
  const outer = document.get(key.list)
  if (key.list === 'sources' && list.items.length === 0 && isSeq(outer))
    outer.items = outer.items.filter((item) => !isMap(item) || item.get('tables') !== list)
  return document.toString({ lineWidth: 0 })
}

function valueOf(
  text: string,
  key: EntryKey,
): { readonly source?: Value; readonly entry: Value } | undefined {
  const entries = listOf(parsed(text), key.list).filter(isValue)
  const byName = (entry: unknown): boolean => nameOf(entry) === key.name
  if (key.list !== 'sources') {
    const entry = entries.find(byName)
    return entry && { entry }
  }
  for (const source of entries.filter((one) => nameOf(one) === key.source)) {
    const entry = listOf(source, 'tables').find(byName)
    if (isValue(entry)) return { source, entry }
  }
  return undefined
}

function findList(document: Document, key: EntryKey): YAMLSeq | undefined {
  const outer = document.get(key.list)
  if (!isSeq(outer)) return undefined
  if (key.list !== 'sources') return outer
  const found = outer.items.find((item) => isMap(item) && textOf(item, 'name') === key.source)
  const tables = isMap(found) ? found.get('tables') : undefined
  return isSeq(tables) ? tables : undefined
}

function findItem(list: YAMLSeq, { name }: EntryKey): YAMLMap | undefined {
  return list.items.filter((item) => isMap(item)).find((item) => textOf(item, 'name') === name)
}

function textOf(map: YAMLMap, key: string): string | undefined {
  const value = map.get(key)
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined
}

function parsed(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' }) as unknown
  } catch {
    // dbt refuses it too, so it declares nothing.
    return undefined
  }
}

function listOf(value: unknown, key: string): readonly unknown[] {
  const member = isValue(value) ? value[key] : undefined
  return Array.isArray(member) ? (member as unknown[]) : []
}

function nameOf(value: unknown): string | undefined {
  return textMember(value, 'name')
}

function textMember(value: unknown, key: string): string | undefined {
  const member = isValue(value) ? value[key] : undefined
  return typeof member === 'string' || typeof member === 'number' ? `${member}` : undefined
}

function isValue(value: unknown): value is Value {
  return typeof value === 'object' && value !== null
}
