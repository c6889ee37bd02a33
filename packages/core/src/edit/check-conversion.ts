import type { Dialect, Family } from '@stagecraft/dialects'
import type { ColumnEdit, Conversion, Violation } from '@stagecraft/spec'
import { CONVERSION_RULES } from '../plan/conversions.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { parseType } from '../sql/types.ts'
import { isFlag } from './column-words.ts'
import { type Loss, LOSSES } from './expression-traits.ts'
import type { ExpressionTree } from './expression-tree.ts'
import type { EditSubject } from './task.ts'

/** Returns the reason why an operation is not legal for a column; undefined if it is legal, or changes nothing. */
export function checkConversion(
  { operation }: ColumnEdit,
  staged: StagedColumn,
  subject: EditSubject,
): Omit<Violation, 'ordinal'> | undefined {
  if (operation === null || operation === 'keep') return undefined
  const expected = whyNot(operation, staged, subject)
  return expected === undefined ? undefined : { code: 'ILLEGAL_OPERATION', expected }
}

function whyNot(
  operation: keyof typeof CONVERSION_RULES,
  staged: StagedColumn,
  subject: EditSubject,
): string | undefined {
  const { change, column, config } = staged
  const { dialect } = subject.subject.settings
  if (isOfKey(staged, subject)) return 'null for a column of a key'
  if (config.values ?? column?.values) return 'null for a column with a closed list of values'
  if (change !== 'none') return 'null for a column that the rules convert'
  const { family } = parseType(column?.type ?? '', dialect)
  if (family === operation) return undefined
  if (operation === 'boolean' && !config.lossy && !isFlag(toSnakeCase(column?.name ?? '')))
    return 'boolean only if the name or the values of the column mean yes or no'
  const rule = CONVERSION_RULES[operation]
  const operand = { sql: 'x', family, values: column?.values }
  const isLegal = rule.from.includes(family) && rule.convert(operand, dialect) !== undefined
  return isLegal ? undefined : `an operation for ${family} columns of ${dialect.name}, or null`
}

/** Returns true if the column identifies rows here or in another table: such values must not change. */
export function isOfKey({ column }: StagedColumn, { key, subject }: EditSubject): boolean {
  const { foreignKeys = [], uniqueKeys = [] } = subject.table
  const keys = [key?.columns ?? [], ...foreignKeys.map(({ columns }) => columns), ...uniqueKeys]
  return column !== undefined && keys.some((columns) => columns.includes(column.name))
}

/** Returns an operation as an expression; undefined if it changes nothing, or has no other form. */
export function treeOfOperation(
  { operation }: Pick<ColumnEdit, 'operation'>,
  { column }: StagedColumn,
  { subject }: EditSubject,
): ExpressionTree | undefined {
  const { dialect } = subject.settings
  const operand = { kind: 'column', name: column?.name ?? '' } as const
  const { family } = parseType(column?.type ?? '', dialect)
  if (operation === null || operation === 'keep' || operation === family) return undefined
  if (operation === 'cents')
    return { kind: 'binary', operator: '/', left: operand, right: { kind: 'number', value: '100.0' } }
  if (operation.startsWith('epoch_')) return { kind: 'call', name: operation, operands: [operand] }
  const type = dialect.types.cast[CAST_FAMILIES[operation] ?? 'other']
  return type === undefined ? undefined : { kind: 'cast', operand, type, tries: false }
}

const CAST_FAMILIES: Readonly<Partial<Record<Conversion, Family>>> = {
  text: 'string',
  integer: 'integer',
  decimal: 'decimal',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp_ntz',
}

/** Returns the losses of a legal operation. */
export function lossesOfConversion(
  { operation }: Pick<ColumnEdit, 'operation'>,
  { column }: StagedColumn,
  { subject }: EditSubject,
): readonly string[] {
  const { dialect } = subject.settings
  const { family } = parseType(column?.type ?? '', dialect)
  const loss = operation === null || family === operation ? undefined : lossOf(operation, family, dialect)
  return loss === undefined ? [] : [LOSSES[loss]]
}

function lossOf(operation: Conversion, family: Family, { functions }: Dialect): Loss | undefined {
  if (operation === 'boolean') return 'nulls'
  if (operation === 'date') return family === 'string' ? undefined : 'rounding'
  if (!NUMBERS.has(operation)) return undefined
  if (family === 'string') return functions.textAsZero ? 'zeros' : undefined
  const widens =
    family === 'integer' || family === 'boolean' || (family === 'decimal' && operation !== 'integer')
  return widens ? undefined : 'rounding'
}

const NUMBERS: ReadonlySet<Conversion> = new Set<Conversion>(['integer', 'decimal', 'float'])
