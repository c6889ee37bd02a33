import { SettingsOf } from '../explain/settings-of.ts'
import type { Dialect, Family } from '@stagecraft/dialects'
import { type ColumnType, isFlag, ownValue, parseType } from '../sql/types.ts'
import { type Column, type ColumnConfig, type Conversion, UNKNOWN_TYPE, type Warning } from '@stagecraft/spec'
import { columnSql, type ReadColumn } from './read-columns.ts'
import {
  CONVERSION_RULES,
  type Converted,
  type Operand,
  areBooleans,
  cast,
  spellType,
} from './conversions.ts'
import type { CheckedColumnEdit } from './checked-edit.ts'
import type { SqlLines, ValueRule } from './plan.ts'
import type { Subject } from './subject.ts'

/** The expression that the model selects for a column, and the conversion applied. */
export interface ConvertedColumn {
  readonly expression: SqlLines
  readonly family: Family
  readonly dataType: string
  /** Limits the claims of rules about the value. */
  readonly change: 'none' | 'utc' | 'boolean' | 'other'
  readonly rule: ValueRule
  /** The operation, if one was applied by name. */
  readonly conversion: Conversion | undefined
  readonly warnings: readonly Warning[]
}

export interface ConversionInput {
  readonly config: ColumnConfig
  /** The proposal of a backend; it counts if neither the user nor evidence decides. */
  readonly edit: CheckedColumnEdit | undefined
  /** Identifies a row here or in another table. */
  readonly isKey: boolean
  readonly subject: Subject
}

/**
 * Decides the conversion of a column: the user's, else the one that its type or its closed list of values requires.
 * Names do not matter here. If the type or the dialect does not support the user's conversion, the column is selected
 * unchanged, with a warning.
 */
export function convertColumn(column: Omit<ReadColumn, 'ordinal'>, input: ConversionInput): ConvertedColumn {
  const { dialect } = input.subject.settings
  const type = parseType(column.type, dialect)
  const values = input.config.values ?? column.values
  const observed = input.subject.table.observed?.values?.find((list) => list.column === column.name)?.values
  const isBoolean = isFlag({ ...column, values: values ?? observed }, dialect)
  const family = isBoolean ? 'boolean' : type.known || values === undefined ? type.family : 'string'
  const held = type.known ? family : assumedFamily(family, input.config)
  const operand = { sql: columnSql(column, dialect), family: held, values }
  const conversion = decide(operand, type, input)
  const refused = conversion === undefined ? notPossible(column, operand, input) : NO_WARNINGS
  return {
    expression: conversion?.lines ?? [operand.sql],
    family: conversion?.family ?? family,
    dataType: spellType(conversion?.dataType ?? type.text, input.subject.settings),
    change: conversion?.change ?? 'none',
    rule: conversion?.rule ?? (refused.length > 0 ? 'asNotPossible' : ruleWithout(input)),
    conversion: conversion?.conversion,
    warnings: [
      ...(type.known || values !== undefined || input.config.as !== undefined
        ? NO_WARNINGS
        : [typeUnknown(column, dialect)]),
      ...(conversion?.conversion === 'cents' ? centsOfDecimals(column, type, input) : NO_WARNINGS),
      ...refused,
      ...(conversion === undefined
        ? notConverted(column, operand, input)
        : valuesNotKept(column, input.edit)),
    ],
  }
}

const NO_WARNINGS: readonly Warning[] = []

/** Treats an unknown type as one that the conversion can read, because the user knows the content of the column. */
function assumedFamily(family: Family, { as }: ColumnConfig): Family {
  if (family !== 'other' || as === undefined || as === 'keep') return family
  const { from } = CONVERSION_RULES[as]
  return from.find((one) => one === 'string') ?? from[0] ?? family
}

type Decision = Converted &
  Pick<ConvertedColumn, 'change' | 'rule'> &
  Partial<Pick<ConvertedColumn, 'conversion'>>

/** Returns the rule for a column that is selected unchanged. */
function ruleWithout({ config, subject }: ConversionInput): ValueRule {
  if (config.as !== undefined) return 'as'
  return subject.settings.options.casts === 'none' ? 'castsNone' : 'asIs'
}

function decide(operand: Operand, type: ColumnType, input: ConversionInput): Decision | undefined {
  const { config, isKey, subject } = input
  const { dialect, options } = subject.settings
  if (config.as !== undefined) return asConfigured(config.as, operand, dialect)
  if (options.casts === 'none') return undefined
  return (
    fromExpression(input) ??
    toUtc(operand, dialect) ??
    fromValues(operand, dialect) ??
    fromAwkwardType(operand, type, dialect) ??
    fromEdit(operand, input) ??
    (isKey && options.keysAsText && operand.family !== 'string'
      ? apply('text', { operand, dialect, rule: 'keysAsText' })
      : undefined) ??
    (options.casts === 'full' ? toOwnType(operand, type, dialect) : undefined)
  )
}

/** An expression has its own type: a cast to that of the column would undo it. */
function fromExpression({ edit }: ConversionInput): Decision | undefined {
  if (!edit?.expression) return undefined
  const { dataType, family, sql } = edit.expression
  return { lines: [sql], family, dataType, change: 'other', rule: 'expression' }
}

function fromEdit(operand: Operand, { edit, subject }: ConversionInput): Decision | undefined {
  const operation = edit?.operation
  const isChange = operation && operation !== 'keep' && operation !== operand.family
  return isChange
    ? apply(operation, { operand, dialect: subject.settings.dialect, rule: 'backend' })
    : undefined
}

interface Application {
  readonly operand: Operand
  readonly dialect: Dialect
  readonly rule: ValueRule
}

function apply(
  operation: Exclude<Conversion, 'keep'>,
  { dialect, operand, rule: by }: Application,
): Decision | undefined {
  const rule = CONVERSION_RULES[operation]
  const conversion = rule.from.includes(operand.family) ? rule.convert(operand, dialect) : undefined
  const change = operation === 'boolean' ? 'boolean' : 'other'
  return conversion && { ...conversion, change, rule: by, conversion: operation }
}

function asConfigured(operation: Conversion, operand: Operand, dialect: Dialect): Decision | undefined {
  // the column may have been text or a number when this was configured, and a timestamp now
  if (TO_TIMESTAMP.has(operation) && isTimestamp(operand)) return toUtc(operand, dialect)
  return operation === 'keep' || isHeld(operation, operand)
    ? undefined
    : apply(operation, { operand, dialect, rule: 'as' })
}

/** Returns true if a column already has the type that the user requests. */
function isHeld(operation: Conversion, operand: Operand): boolean {
  const isDay = operation.startsWith('date_') && operand.family === 'date'
  return isDay || operation === operand.family || (TO_TIMESTAMP.has(operation) && isTimestamp(operand))
}

const TO_TIMESTAMP: ReadonlySet<Conversion> = new Set<Conversion>([
  'timestamp',
  'epoch_seconds',
  'epoch_milliseconds',
  'epoch_microseconds',
])

function isTimestamp({ family }: Operand): boolean {
  return family === 'timestamp_ntz' || family === 'timestamp_tz'
}

/** Returns the warning about an impossible conversion: the column keeps its value and type. */
function notPossible(
  { name, type }: Column,
  operand: Operand,
  { config: { as }, subject }: ConversionInput,
): readonly Warning[] {
  if (as === undefined || as === 'keep' || isHeld(as, operand)) return NO_WARNINGS
  const { dialect } = subject.settings
  const key = new SettingsOf(subject).column(name, 'as')
  const possible = [...conversionsOf(operand, dialect), 'keep'].join(', ')
  const message = `${key}: a ${dialect.name} column of type ${type} cannot be converted to "${as}", so ${name} is selected unchanged; possible here: ${possible}`
  return [{ code: 'CONVERSION_NOT_POSSIBLE', message, column: name }]
}

/** Warns about cents in a column of decimals: amounts with decimal places are hardly ever cents. */
function centsOfDecimals(
  { name }: Column,
  { arguments: [, scale = 0], family, text }: ColumnType,
  { config, subject }: ConversionInput,
): readonly Warning[] {
  if (config.as !== 'cents' || family !== 'decimal' || scale === 0) return []
  const key = new SettingsOf(subject).column(name, 'as')
  const message = `${key}: ${name} is a ${text}, and decimals usually are whole units already, so "cents" makes them 100 times too small; remove the setting, or keep it if the column really contains cents`
  return [{ code: 'CONVERSION_NOT_NEEDED', message, column: name }]
}

/** Returns the conversions that a dialect has for a column. */
function conversionsOf(operand: Operand, dialect: Dialect): readonly string[] {
  return Object.entries(CONVERSION_RULES)
    .filter(
      ([, { convert, from }]) => from.includes(operand.family) && convert(operand, dialect) !== undefined,
    )
    .map(([name]) => name)
}

function toUtc({ family, sql }: Operand, dialect: Dialect): Decision | undefined {
  const idiom = dialect.idioms.toUtc
  if (family !== 'timestamp_tz' || idiom === undefined) return undefined
  return {
    lines: [idiom.replaceAll('{x}', () => sql)],
    family: 'timestamp_ntz',
    dataType: dialect.types.cast.timestamp_ntz,
    change: 'utc',
    rule: 'toUtc',
  }
}

function fromValues(operand: Operand, dialect: Dialect): Decision | undefined {
  return areBooleans(operand.values) ? apply('boolean', { operand, dialect, rule: 'values' }) : undefined
}

function fromAwkwardType(
  { family, sql }: Operand,
  { base }: ColumnType,
  dialect: Dialect,
): Decision | undefined {
  const type = ownValue(dialect.types.convert, base)
  return type === undefined
    ? undefined
    : { lines: [cast(sql, type, dialect)], family, dataType: type, change: 'other', rule: 'awkwardType' }
}

/** Returns the own type of the column, written out; a decimal without precision stays unchanged. */
function toOwnType({ family, sql }: Operand, type: ColumnType, dialect: Dialect): Decision | undefined {
  const isOpen = family === 'decimal' && type.arguments.length === 0
  if (isOpen || family === 'other') return undefined
  const target = dialect.types.castable.includes(family)
    ? type.text.replace(/,(?=\d)/g, ', ')
    : standardType(family, dialect)
  return target === undefined
    ? undefined
    : { lines: [cast(sql, target, dialect)], family, dataType: target, change: 'none', rule: 'castsFull' }
}

/** Number types have widths that a standard type would lose. */
function standardType(family: Family, dialect: Dialect): string | undefined {
  return family === 'integer' || family === 'decimal' || family === 'float'
    ? undefined
    : dialect.types.cast[family]
}

function typeUnknown({ name, type }: Column, dialect: Dialect): Warning {
  const known = `${name} has the type ${type}, which is not a known type of ${dialect.name}`
  const reason = type === UNKNOWN_TYPE ? `the type of ${name} is unknown` : known
  return { code: 'TYPE_UNKNOWN', message: `${reason}, so the column is selected unchanged`, column: name }
}

/** `casts: none` also refuses conversions of a language model, but accepts the rest of its proposal. */
function notConverted(
  { name }: Column,
  { family }: Operand,
  { edit, subject }: ConversionInput,
): readonly Warning[] {
  const operation = edit?.operation ?? 'keep'
  const isConversion = edit?.expression !== undefined || (operation !== 'keep' && operation !== family)
  if (subject.settings.options.casts !== 'none' || !isConversion) return NO_WARNINGS
  const what = edit?.expression ? 'expression' : 'conversion'
  const message = `${name}: the ${what} proposed by the language model was not used, because casts is none; the rest of its proposal was used`
  return [{ code: 'EDIT_NOT_USED', message, column: name }]
}

function valuesNotKept({ name }: Column, edit: CheckedColumnEdit | undefined): readonly Warning[] {
  const { losses = [] } = edit ?? {}
  if (losses.length === 0) return NO_WARNINGS
  const message = `${name} is converted as proposed by a language model: ${losses.join(', ')}`
  return [{ code: 'VALUES_NOT_KEPT', message, column: name }]
}
