import { type Document, isMap, isSeq, parse, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { declaredTables, sourceKey, type SourceTable } from './dbt-references.ts'

/**
 * Puts tables of sources that stand in properties before into those that take their place. Lines of both stay as they are.
 *
 * @returns undefined where that cannot be done.
 */
export function keepEntries(
  text: string,
  before: string,
  tables: readonly SourceTable[],
): string | undefined {
  let result = text
  for (const table of tables) {
    const next = addLines(result, before, table) ?? addNodes(result, before, table)
    if (next === undefined || !isAdded(result, next, table)) return undefined
    result = next
  }
  return result
}

function isAdded(before: string, after: string, table: SourceTable): boolean {
  const expected = new Set([...declaredTables(before), table].map(sourceKey))
  const found = declaredTables(after).map(sourceKey)
  return found.length === expected.size && found.every((key) => expected.has(key))
}

/** The lines of the entry, in the order of names where there is one; undefined unless both are lists in blocks. */
function addLines(text: string, before: string, table: SourceTable): string | undefined {
  const from = findTables(parseDocument(before), table.source)
  const to = findTables(parseDocument(text), table.source)
  if (!from || !to || from.flow === true || to.flow === true) return undefined
  const entry = from.items.find((item) => isMap(item) && textOf(item, 'name') === table.table)
  const next = to.items.find((item) => isMap(item) && (textOf(item, 'name') ?? '') > table.table)
  const place = isSorted(to) && next !== undefined ? next : to.items.at(-1)
  if (!isMap(entry) || !entry.range || !isMap(place) || !place.range) return undefined
  const lines = linesOf(before, entry.range)
  const target = linesOf(text, place.range)
  if (lines === undefined || target === undefined) return undefined
  const moved = lines.rows.map((row) =>
    row.trim() === '' ? '' : `${' '.repeat(target.indent)}${row.slice(lines.indent)}`,
  )
  const at = place === next ? target.start : target.end
  const head = text.slice(0, at).replace(/([^\n])$/, '$1\n')
  return `${head}${moved.join('\n')}\n${text.slice(at)}`
}

function isSorted({ items }: YAMLSeq): boolean {
  const names = items.map((item) => (isMap(item) ? (textOf(item, 'name') ?? '') : ''))
  return names.every((name, index) => index === 0 || (names[index - 1] ?? '') <= name)
}

interface EntryLines {
  readonly rows: readonly string[]
  /** Of the dash. */
  readonly indent: number
  /** Where the lines begin and end in the text. */
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

/** The entry as a value, for properties of another form, and for a source that is not there at all. */
function addNodes(text: string, before: string, table: SourceTable): string | undefined {
  const document = parseDocument(text)
  const sources = document.get('sources')
  const old = valueOf(before, table)
  if (!isSeq(sources) || old === undefined) return undefined
  const tables = findTables(document, table.source)
  if (tables) tables.add(document.createNode(old.entry))
  else sources.add(document.createNode({ ...old.source, tables: [old.entry] }))
  return document.toString({ lineWidth: 0 })
}

type Entry = Readonly<Record<string, unknown>>

function valueOf(text: string, { source, table }: SourceTable): { source: Entry; entry: Entry } | undefined {
  const properties = parse(text) as { readonly sources?: readonly Entry[] }
  const found = properties.sources?.find(({ name }) => name === source)
  const tables = found?.['tables'] as readonly Entry[] | undefined
  const entry = tables?.find(({ name }) => name === table)
  return found && entry ? { source: found, entry } : undefined
}

function findTables(document: Document, source: string): YAMLSeq | undefined {
  const sources = document.get('sources')
  if (!isSeq(sources)) return undefined
  const found = sources.items.find((item) => isMap(item) && textOf(item, 'name') === source)
  const tables = isMap(found) ? found.get('tables') : undefined
  return isSeq(tables) ? tables : undefined
}

function textOf(map: YAMLMap, key: string): string | undefined {
  const value = map.get(key)
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined
}
