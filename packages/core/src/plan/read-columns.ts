import type { Dialect } from '@stagecraft/dialects'
import type { Column, Table, Warning } from '@stagecraft/spec'
import { lookUp, type TableSettings } from '../config/settings.ts'
import { escapeJinja, escapeText, printIdentifier, quoteIdentifier } from '../sql/identifiers.ts'
import { type StructField, structFields } from '../sql/struct-fields.ts'
import { parseType } from '../sql/types.ts'

/** A column that a model reads: one of the table, or a field of one, which is called `address.city`. */
export interface ReadColumn extends Column {
  /** 1-based position in the table; of a field that of its column, and a number that it alone has. @default where it stands */
  readonly ordinal?: number
  readonly field?: StructField & { readonly of: string }
}

/** Fields are counted in numbers that no column has, and that do not change when columns are added to a table. */
const FIELD_ORDINALS = 100_000

/** Takes the ordinal of a field apart into that of its column, and what tells it from the others; of a column that is 0. */
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

/** The columns that a model reads, with the fields of structs in place of those that are flattened. */
export function readColumns(
  table: Table,
  settings: TableSettings,
  { flattens }: { readonly flattens: boolean },
): ReadColumns {
  if (!flattens || !mayFlatten(settings)) return { columns: table.columns, warnings: [] }
  const taken = new Set(table.columns.map(({ name }) => name.toLowerCase()))
  const read = table.columns.map((column, index) => readColumn(column, index + 1, { settings, taken }))
  return {
    columns: read.flatMap(({ columns }) => columns),
    warnings: read.flatMap(({ warnings }) => warnings),
  }
}

function mayFlatten({ options, table }: TableSettings): boolean {
  if (options.flatten === 'one level') return true
  return Object.values(table.columns ?? {}).some(({ flatten }) => flatten !== undefined)
}

interface Context {
  readonly settings: TableSettings
  /** Names of all columns, in lower case. */
  readonly taken: ReadonlySet<string>
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

/** Says why the fields of a column cannot be columns; undefined where they can. */
function reasonAgainst(
  { name, type }: Column,
  fields: readonly StructField[] | undefined,
  { settings: { dialect }, taken }: Context,
): string | undefined {
  if (dialect.idioms.field === undefined) return `${dialect.name} has no structs with named fields`
  if (!fields) return `its type, ${type}, does not name all fields with their types`
  if (dialect.idioms.field.startsWith('{x}.') && CTES.has(name.toLowerCase()))
    return 'a part of the model has its name'
  const names = fields.map((field) => field.name.toLowerCase())
  const isTwice = new Set(names).size < names.length
  if (isTwice) return 'two fields have names that differ in case alone'
  return names.some((field) => taken.has(`${name.toLowerCase()}.${field}`))
    ? 'another column is called as one of its fields'
    : undefined
}

/** SQL of the value of a column or field. */
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
