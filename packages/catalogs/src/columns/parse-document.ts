import { DIALECT_NAMES, type DialectName, type Fault, type Table, tableSchema } from '@stagecraft/spec'
import { check, faultAt, type LocatedFault, unknownKey } from '@stagecraft/spec/validate'
import type { LocatedTable, ParsedColumns } from './parsed-columns.ts'
import { type Located, readDocument } from './read-document.ts'

const FILE_KEYS = ['dialect', 'tables']

/** Reads YAML or JSON: a list of tables, or an object with `tables` and optionally `dialect`. */
export function parseDocument(text: string): ParsedColumns {
  const document = readDocument(text)
  if ('faults' in document) return document
  const { lineOf, value } = Array.isArray(document.value) ? document.below('tables') : document
  const file = isObject(value) ? value : {}
  const { dialect, tables } = file
  const list: readonly unknown[] = Array.isArray(tables) ? tables : []
  const read = list.map((table, index) => readTable(table, index, lineOf))
  const faults = [...checkFile(value), ...read.flatMap((table) => ('faults' in table ? table.faults : []))]
  if (faults.length > 0) return { faults: faults.map((fault) => withLine(fault, lineOf)) }
  return {
    dialect: DIALECT_NAMES.find((name) => name === dialect),
    tables: read.filter((table) => 'table' in table),
  }
}

function checkFile(value: unknown): readonly LocatedFault[] {
  if (!isObject(value)) return [faultAt([], 'a list of tables, or an object with the key tables', value)]
  const unknown = Object.keys(value).filter((key) => !FILE_KEYS.includes(key))
  const { dialect, tables } = value
  const isDialect = dialect === undefined || DIALECT_NAMES.some((name: DialectName) => name === dialect)
  return [
    ...unknown.map((key) => unknownKey([key], FILE_KEYS)),
    ...(isDialect ? [] : [faultAt(['dialect'], DIALECT_NAMES.join(' or '), dialect)]),
    ...(Array.isArray(tables) ? [] : [faultAt(['tables'], 'a list', tables)]),
  ]
}

function readTable(
  input: unknown,
  index: number,
  lineOf: Located['lineOf'],
): LocatedTable | { readonly faults: readonly LocatedFault[] } {
  const place = ['tables', index]
  const checked = check(tableSchema, input)
  if ('faults' in checked) {
    const placed = checked.faults.map((fault) => {
      const segments = [...place, ...fault.segments]
      return { ...fault, segments, path: segments.map(String).join('.') }
    })
    return { faults: placed }
  }
  const table: Table = checked.value
  // tables are found by name, so each must have one
  if (table.name === undefined) return { faults: [faultAt([...place, 'name'], 'text', undefined)] }
  return {
    table: { ...table, name: table.name },
    path: place.join('.'),
    line: (below = []) => lineOf([...place, ...below]),
  }
}

function withLine({ segments, ...fault }: LocatedFault, lineOf: Located['lineOf']): Fault {
  const line = lineOf(segments)
  return line === undefined ? fault : { ...fault, line }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
