import type { Dialect } from '@stagecraft/dialects'
import type { Column, Table, Warning } from '@stagecraft/spec'
import { lookUp, type TableSettings } from '../config/settings.ts'
import { escapeJinja, escapeText, printIdentifier, quoteIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'

/** A column that a model reads: a column of the table, or a field of one, such as `address.city`. */
export interface ReadColumn extends Column {
  /**
   * 1-based position in the table; for a field, that of its column with a unique number. @default its index
   */
  readonly ordinal?: number
  readonly field?: StructField & { readonly of: string }
}

/** Fields have ordinals that no column has, and that stay the same when columns are added to a table. */
const FIELD_ORDINALS = 100_000

/**
 * Splits the ordinal of a field into that of its column and the number of the field; 0 for a column.
 */
export function splitOrdinal(ordinal: number): { readonly own: number; readonly field: number } {
  const own = ordinal % FIELD_ORDINALS
  return { own, field: ordinal - own }
}

/** Names of the CTEs of a model: `source.city` is a column of the CTE. */
const CTES: ReadonlySet<string> = new Set(['active', 'deduplicated', 'numbered', 'renamed', 'source'])

interface ReadColumns {
  readonly columns: readonly ReadColumn[]
  readonly warnings: readonly Warning[]
}

/** Returns the columns that a model reads, with the fields of flattened structs in place of their columns. */
export function readColumns(
  table: Table,
  settings: TableSettings,
  { flattens }: { readonly flattens: boolean },
): ReadColumns {
  if (!flattens || !mayFlatten(settings)) return { columns: table.columns, warnings: [] }
  const taken = new Set(table.columns.map(({ name }) => name.toLowerCase()))
  const keys = keyColumns(table, settings)
  const read = table.columns.map((column, index) => readColumn(column, index + 1, { keys, settings, taken }))
  return {
    columns: read.flatMap(({ columns }) => columns),
    warnings: read.flatMap(({ warnings }) => warnings),
  }
}

/** Returns the columns of all keys, in lower case: a key that lacks one of its columns would merge different rows. */
function keyColumns(
  { primaryKey = [], uniqueKeys = [] }: Table,
  settings: TableSettings,
): ReadonlySet<string> {
  const names = [...primaryKey, ...uniqueKeys.flat(), ...(settings.table.key ?? [])]
  return new Set(names.map((name) => name.toLowerCase()))
}

function mayFlatten({ options, table }: TableSettings): boolean {
  if (options.flatten === 'one level') return true
  return Object.values(table.columns ?? {}).some(({ flatten }) => flatten !== undefined)
}

interface Context {
  readonly settings: TableSettings
  /** Names of all columns, in lower case. */
  readonly taken: ReadonlySet<string>
  /** Names of columns that are part of a key, in lower case. */
  readonly keys: ReadonlySet<string>
}

function readColumn(column: Column, ordinal: number, context: Context): ReadColumns {
  const whole = { columns: [{ ...column, ordinal }], warnings: [] }
  const { dialect, options, table } = context.settings
  const config = lookUp(table.columns, column.name)
  const own = config?.flatten
  if ((own ?? options.flatten) !== 'one level' || config?.exclude) return whole
  const fields = structFields(column.type, dialect)
  const isStruct = fields !== undefined || parseType(column.type, dialect).family === 'struct'
  if (!isStruct && own === undefined) return whole
  const reason = reasonAgainst(column, fields, context)
  if (fields && reason === undefined)
    return {
      columns: fields.map((field, index) =>
        fieldColumn(column, field, ordinal + (index + 1) * FIELD_ORDINALS),
      ),
      warnings: [],
    }
  const message = `${column.name} stays one column: ${reason ?? ''}`
  return { ...whole, warnings: [{ code: 'STRUCT_NOT_FLATTENED', message, column: column.name }] }
}

function fieldColumn({ hidden, name }: Column, field: StructField, ordinal: number): ReadColumn {
  return {
    name: `${name}.${field.name}`,
    type: field.type,
    ...(hidden && { hidden }),
    ordinal,
    field: { ...field, of: name },
  }
}

/** Returns the reason why the fields of a column cannot be columns; undefined if they can. */
function reasonAgainst(
  { name, type }: Column,
  fields: readonly StructField[] | undefined,
  { keys, settings: { dialect }, taken }: Context,
): string | undefined {
  if (dialect.idioms.field === undefined) return `${dialect.name} has no structs with named fields`
  if (!fields) return `its type, ${type}, does not list all fields with their types`
  if (keys.has(name.toLowerCase())) return 'it is part of a key'
  if (dialect.idioms.field.startsWith('{x}.') && CTES.has(name.toLowerCase()))
    return 'another part of the model has its name'
  const names = fields.map((field) => field.name.toLowerCase())
  const isTwice = new Set(names).size < names.length
  if (isTwice) return 'the names of two fields differ only in case'
  return names.some((field) => taken.has(`${name.toLowerCase()}.${field}`))
    ? 'another column has the name of one of its fields'
    : undefined
}

/** Prints the SQL of the value of a column or field. */
export function columnSql({ field, name }: Pick<ReadColumn, 'field' | 'name'>, dialect: Dialect): string {
  if (!field) return printIdentifier(name, dialect)
  const parts: Readonly<Record<string, string>> = {
    x: printIdentifier(field.of, dialect),
    name: printIdentifier(field.name, dialect),
    quoted: escapeJinja(quoteIdentifier(field.name, dialect)),
    text: `'${escapeJinja(escapeText(field.name, dialect))}'`,
    type: field.type,
  }
  return (dialect.idioms.field ?? '').replaceAll(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '')
}

/** A field of a struct, as the warehouse spells it. */
interface StructField {
  readonly name: string
  readonly type: string
}

/** Types of structs: `STRUCT<a INT64>`, `struct<a:int>`, `row(a bigint)`, `Tuple(a Int8)`, `OBJECT(a VARCHAR)`. */
const STRUCT = /^(?:struct|record|row|tuple|object)\s*([<(])(.*)([>)])$/is

/** Matches a name, in quotes if it needs them, and its type after a colon or a blank. */
const FIELD =
  /^\s*(?:"((?:[^"]|"")+)"|`((?:[^`\\]|``|\\.)+)`|([\p{L}_][\p{L}\p{N}_$]*))(?:\s*:\s*|\s+)(\S.*)$/su

/** Clauses that may follow the type of a field in a script. */
const CLAUSES = /\s+(?:not\s+null|null|options\s*\(|comment\s+['"]|collate\s|default\s)[^]*$/i

/** Returns the fields of a struct type; undefined for another type, and if a field has no name or an unknown type. */
function structFields(type: string, dialect: Dialect): readonly StructField[] | undefined {
  const [, open, inside = '', close] = STRUCT.exec(unwrap(type.trim(), dialect)) ?? []
  if (open === undefined || (open === '<') !== (close === '>')) return undefined
  const fields = splitTop(inside).map((part) => readField(part, dialect))
  return fields.length > 0 && fields.every((field) => field !== undefined) ? fields : undefined
}

/** Unwraps a type: `Nullable(Tuple(…))` is a tuple. */
function unwrap(type: string, { types }: Dialect): string {
  const [, base = '', inside = ''] = /^(\w+)\((.*)\)$/s.exec(type) ?? []
  return types.wrappers.includes(base.toLowerCase()) ? inside.trim() : type
}

function readField(part: string, dialect: Dialect): StructField | undefined {
  const [, quoted, ticked, plain, rest = ''] = FIELD.exec(part) ?? []
  const name =
    plain ?? quoted?.replaceAll('""', '"') ?? ticked?.replaceAll('``', '`').replaceAll(/\\(.)/g, '$1')
  const type = rest.replace(CLAUSES, '').trim()
  return name !== undefined && parseType(type, dialect).known ? { name, type } : undefined
}

/** Splits a text at commas, except inside brackets and quotes. */
function splitTop(text: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const [piece] of text.matchAll(/"(?:[^"]|"")*"|`(?:[^`\\]|``|\\.)*`|'(?:[^'\\]|''|\\.)*'|[^]/g)) {
    if ('<([{'.includes(piece)) depth++
    if ('>)]}'.includes(piece)) depth--
    if (piece === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts
}
