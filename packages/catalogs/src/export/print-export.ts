import { DIALECTS } from '@stagecraft/dialects'
import { type DialectName, EXPORTED_DIALECTS, StagecraftError } from '@stagecraft/spec'
import { inlineValues, quoteLiteral, type SchemaPlace, type Statement } from '../warehouse/statement.ts'
import { STORAGE_KEYS, STORAGE_POSITIONS } from '../warehouse/storage.ts'
import { EXPORTS } from './exports.ts'

/** The headers of the standard statements, by name. */
export const STANDARD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  tables: [
    'table_schema',
    'table_name',
    'table_type',
    'table_comment',
    'row_count',
    'byte_count',
    'last_changed',
    ...STORAGE_KEYS,
    'definition',
  ],
  columns: [
    'table_schema',
    'table_name',
    'column_name',
    'ordinal_position',
    'data_type',
    'is_nullable',
    'column_default',
    'column_comment',
    'is_hidden',
    'allowed_values',
    ...STORAGE_POSITIONS,
  ],
  keys: [
    'table_schema',
    'table_name',
    'column_name',
    'ordinal_position',
    'constraint_name',
    'constraint_type',
    'referenced_schema',
    'referenced_table',
    'referenced_column',
  ],
  checks: ['table_schema', 'table_name', 'column_name', 'constraint_name', 'definition'],
}

/** One statement to run by hand, and the name of the file for its result. */
export interface PrintedStatement {
  /** Without an ending: `columns`. */
  readonly name: string
  /** SQL with its values, without a semicolon. */
  readonly text: string
}

/**
 * Prints the statements whose results describe schemas. If the warehouse allows it, this is a single statement. Its rows
 * state their warehouse, so a catalog can read them from a file without further options.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a dialect whose catalogs have no statements.
 */
export async function printExport(
  places: readonly SchemaPlace[],
  dialect: DialectName,
): Promise<readonly PrintedStatement[]> {
  const known = EXPORTED_DIALECTS.find((name) => name === dialect)
  if (!known)
    throw StagecraftError.invalid({
      path: 'dialect',
      expected: `one of ${EXPORTED_DIALECTS.join(', ')}`,
      received: dialect,
    })
  const { chain, inLine, separate, statements } = await EXPORTS[known]()
  const { before, parts } = chain?.(places) ?? {
    before: [],
    parts: places.map((place) => ({ place, statements: statements(place) })),
  }
  const isPrinted = ({ name }: Statement): boolean => !separate || name in STANDARD_HEADERS
  const own = parts.flatMap((part) => part.statements.filter(isPrinted).map(headersOf))
  const headers = [...new Set([...Object.values(STANDARD_HEADERS), ...own].flat())]
  const print = (statement: Statement, place: SchemaPlace): string =>
    isPrinted(statement)
      ? printRecords(statement, { place, dialect, headers, inLine })
      : inlineValues(statement, dialect)
  const printed = parts.flatMap((part, index) =>
    part.statements.map((statement) => ({
      name: places.length === 1 ? statement.name : `${index + 1}/${statement.name}`,
      text: print(statement, part.place),
    })),
  )
  if (separate) return printed
  const union = printed.map(({ text }) => text).join('\nunion all\n')
  return [{ name: 'schema', text: [...before, union].join('\n->> ') }]
}

interface Union {
  readonly place: SchemaPlace
  readonly dialect: DialectName
  /** The standard headers, and those that only the reader of this warehouse knows. */
  readonly headers: readonly string[]
  readonly inLine: ((expression: string) => string) | undefined
}

/** The headers whose text may have several lines. */
const TEXTS = new Set(['table_comment', 'column_comment', 'column_default', 'definition'])

/** Prints a statement with every header as text, so that records of all kinds fit into one result. */
function printRecords(
  statement: Statement,
  { dialect, headers, inLine, place: { database } }: Union,
): string {
  const { idioms, types } = DIALECTS[dialect]
  const own = new Set(headersOf(statement))
  const asText = (expression: string): string =>
    idioms.cast.replace('{x}', () => expression).replace('{type}', () => types.cast.string ?? 'varchar')
  const stated = {
    source_dialect: quoteLiteral(dialect, dialect),
    record_kind: quoteLiteral(statement.name, dialect),
    table_catalog: database === undefined ? 'null' : quoteLiteral(database, dialect),
  }
  const fields = [
    ...Object.entries(stated).map(([name, value]) => `${asText(value)} as ${name}`),
    ...headers.map((name) => {
      const text = asText(own.has(name) ? `r.${name}` : 'null')
      return `${inLine && own.has(name) && TEXTS.has(name) ? inLine(text) : text} as ${name}`
    }),
  ]
  const indented = statement.text.trim().replaceAll(/^/gm, '  ')
  const inner = inlineValues({ ...statement, text: indented }, dialect)
  return `select\n${fields.map((field) => `  ${field}`).join(',\n')}\nfrom (\n${inner}\n) as r`
}

/** Returns the headers of a statement: the last word of each expression in its select list. */
export function headersOf({ text }: Statement): readonly string[] {
  const flat = withoutParentheses(text.replaceAll(/'(?:[^']|'')*'/g, ''))
  const list = flat.slice(0, flat.search(/\bfrom\b/))
  return list.split(',').flatMap((expression) => /(\w+)\s*$/.exec(expression)?.[1] ?? [])
}

function withoutParentheses(text: string): string {
  const shorter = text.replaceAll(/\([^()]*\)/g, '')
  return shorter === text ? text : withoutParentheses(shorter)
}
