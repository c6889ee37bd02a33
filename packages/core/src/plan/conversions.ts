import type { Dialect, Family } from '@stagecraft/dialects'
import type { ColumnValue, Conversion } from '@stagecraft/spec'
import type { TableSettings } from '../config/settings.ts'
import { printLiteral } from '../sql/identifiers.ts'
import type { SqlLines } from './plan.ts'

/** A raw value turned into a staged one. */
export interface Converted {
  readonly lines: SqlLines
  readonly family: Family
  /** Undefined if the warehouse has no name for the result. */
  readonly dataType: string | undefined
}

/** The operand of a conversion. */
export interface Operand {
  /** The column as SQL refers to it. */
  readonly sql: string
  readonly family: Family
  /** Every value it may hold, if known. */
  readonly values: readonly ColumnValue[] | undefined
}

interface ConversionRule {
  /** Families it is legal for. */
  readonly from: readonly Family[]
  readonly convert: (operand: Operand, dialect: Dialect) => Converted | undefined
}

const NUMBERS = ['integer', 'decimal', 'float'] as const
const TIMES = ['timestamp_ntz', 'timestamp_tz'] as const

/** Every conversion but `keep`; undefined for a conversion that the dialect cannot express. */
export const CONVERSION_RULES: Readonly<Record<Exclude<Conversion, 'keep'>, ConversionRule>> = {
  text: {
    from: ['string', 'uuid', 'boolean', 'date', 'time', 'json', ...NUMBERS, ...TIMES],
    convert: castTo('string'),
  },
  integer: { from: ['string', 'boolean', ...NUMBERS], convert: castTo('integer') },
  decimal: { from: ['string', ...NUMBERS], convert: castTo('decimal') },
  float: { from: ['string', ...NUMBERS], convert: castTo('float') },
  boolean: { from: ['string', 'integer', 'decimal'], convert: toBoolean },
  date: { from: ['string', ...TIMES], convert: castTo('date') },
  date_day_first: { from: ['string'], convert: fromDateText('date_day_first') },
  date_month_first: { from: ['string'], convert: fromDateText('date_month_first') },
  date_yyyymmdd: { from: ['string', ...NUMBERS], convert: fromDateText('date_yyyymmdd') },
  timestamp: { from: ['string', 'date'], convert: toTimestamp },
  epoch_seconds: { from: ['string', ...NUMBERS], convert: fromEpoch('epoch_seconds') },
  epoch_milliseconds: { from: ['string', ...NUMBERS], convert: fromEpoch('epoch_milliseconds') },
  epoch_microseconds: { from: ['string', ...NUMBERS], convert: fromEpoch('epoch_microseconds') },
  cents: {
    from: ['integer', 'decimal'],
    convert: ({ sql }, dialect) => ({
      lines: [dialect.idioms.cents.replaceAll('{x}', () => sql)],
      family: 'decimal',
      dataType:
        /as ((?:numeric|decimal)\(\d+, \d+\))\)$/.exec(dialect.idioms.cents)?.[1] ??
        dialect.types.cast.decimal,
    }),
  },
}

export function cast(sql: string, type: string, dialect: Dialect): string {
  return dialect.idioms.cast.replaceAll('{x}', () => sql).replaceAll('{type}', () => type)
}

function castTo(family: Family): ConversionRule['convert'] {
  return ({ sql }, dialect) => {
    const type = dialect.types.cast[family]
    return type === undefined ? undefined : { lines: [cast(sql, type, dialect)], family, dataType: type }
  }
}

/** A text may have an offset from UTC, which a cast drops in some warehouses. */
function toTimestamp(operand: Operand, dialect: Dialect): Converted | undefined {
  const converted = castTo('timestamp_ntz')(operand, dialect)
  const { offsets } = dialect.idioms
  if (!converted || operand.family !== 'string' || offsets.length === 0) return converted
  const fill = (text: string): string => text.replaceAll('{x}', () => operand.sql)
  const lines = [
    'case',
    ...offsets.flatMap(({ utc, when }) => branch(fill(when), fill(utc))),
    ...converted.lines.map((line) => `    else ${line}`),
    'end',
  ]
  return { ...converted, lines }
}

function fromEpoch(unit: Extract<Conversion, `epoch_${string}`>): ConversionRule['convert'] {
  return ({ family, sql }, dialect) => {
    const { epoch, epochFamily } = dialect.idioms
    const number = family === 'string' ? castText(sql, unit, dialect) : sql
    return {
      lines: [epoch[unit].replaceAll('{x}', () => number)],
      family: epochFamily,
      dataType: dialect.types.cast[epochFamily],
    }
  }
}

function fromDateText(form: Extract<Conversion, `date_${string}`>): ConversionRule['convert'] {
  return ({ family, sql }, dialect) => {
    const text = family === 'string' ? sql : cast(sql, dialect.types.cast.string ?? 'varchar', dialect)
    return {
      lines: [dialect.idioms.dates[form].replaceAll('{x}', () => text)],
      family: 'date',
      dataType: dialect.types.cast.date,
    }
  }
}

/** Seconds may have a fraction; smaller units are whole. */
function castText(sql: string, unit: Conversion, dialect: Dialect): string {
  const { float, integer } = dialect.types.cast
  const type = unit === 'epoch_seconds' ? float : integer
  return type === undefined ? sql : cast(sql, type, dialect)
}

/** The usual spellings of true and false. */
const BOOLEAN_PAIRS: readonly Pair[] = [
  ['1', '0'],
  ['y', 'n'],
  ['yes', 'no'],
  ['t', 'f'],
  ['true', 'false'],
  ['on', 'off'],
]

type Pair = readonly [yes: string, no: string]

/**
 * True and false in other languages, by their names. They only count as the two values of a list: alone, `si` or `on`
 * may be anything. Letters that are short for other words as often are missing, such as `s` and `n` of south and north.
 */
const PAIRS_OF_LANGUAGES: Readonly<Record<string, readonly Pair[]>> = {
  german: [
    ['ja', 'nein'],
    ['j', 'n'],
    ['wahr', 'falsch'],
  ],
  french: [
    ['oui', 'non'],
    ['vrai', 'faux'],
  ],
  spanish: [
    ['si', 'no'],
    ['sí', 'no'],
    ['verdadero', 'falso'],
  ],
  portuguese: [
    ['sim', 'nao'],
    ['sim', 'não'],
    ['verdadeiro', 'falso'],
  ],
  italian: [
    ['sì', 'no'],
    ['vero', 'falso'],
  ],
  dutch: [
    ['ja', 'nee'],
    ['waar', 'onwaar'],
  ],
  danish: [
    ['ja', 'nej'],
    ['sand', 'falsk'],
  ],
  polish: [
    ['tak', 'nie'],
    ['prawda', 'fałsz'],
  ],
}

/** Returns true if a closed list of values means true and false. A single value is not enough. */
export function areBooleans(values: readonly ColumnValue[] | undefined): boolean {
  return values !== undefined && (pairOf(BOOLEAN_PAIRS, values) ?? languageOfYesAndNo(values)) !== undefined
}

/** Returns the language other than English in which two values mean yes and no. */
export function languageOfYesAndNo(values: readonly ColumnValue[]): string | undefined {
  return Object.entries(PAIRS_OF_LANGUAGES).find(([, pairs]) => pairOf(pairs, values))?.[0]
}

/** Returns the pair that the values spell. */
function pairOf(pairs: readonly Pair[], values: readonly ColumnValue[]): Pair | undefined {
  const distinct = new Set(values.map(inLowerCase))
  return pairs.find((pair) => distinct.size === 2 && pair.every((value) => distinct.has(value)))
}

function inLowerCase(value: ColumnValue): string {
  return String(value).normalize('NFC').toLowerCase()
}

function toBoolean({ family, sql, values }: Operand, dialect: Dialect): Converted {
  const { no, wrap, yes } = dialect.idioms.truth
  const pair = values && pairOf([...BOOLEAN_PAIRS, ...Object.values(PAIRS_OF_LANGUAGES).flat()], values)
  const list = (index: 0 | 1): readonly string[] => {
    const words = BOOLEAN_PAIRS.map((usual) => usual[index])
    if (pair) return values.filter((value) => inLowerCase(value) === pair[index]).map(literal)
    return (family === 'string' ? words : words.slice(0, 1)).map(literal)
  }
  const literal = (value: ColumnValue): string =>
    family === 'string' ? printLiteral(String(value), dialect) : String(Number(value))
  const subject = family === 'string' && !pair ? `lower(trim(${sql}))` : sql
  const isIn = (index: 0 | 1): string =>
    list(index).length === 1 ? `= ${list(index)[0]}` : `in (${list(index).join(', ')})`
  const lines = [
    'case',
    ...branch(`${subject} ${isIn(0)}`, yes),
    ...branch(`${subject} ${isIn(1)}`, no),
    'end',
  ]
  return { lines: wrapLines(lines, wrap), family: 'boolean', dataType: dialect.types.cast.boolean }
}

/** Prints a branch of a `case`, on two lines if one would be too long for the style guide. */
function branch(condition: string, result: string): SqlLines {
  const line = `    when ${condition} then ${result}`
  return line.length > 70 ? [`    when ${condition}`, `        then ${result}`] : [line]
}

/** Puts an idiom around an expression of several lines. */
export function wrapLines(lines: SqlLines, wrap: string | undefined): SqlLines {
  if (wrap === undefined) return lines
  const [before = '', after = ''] = wrap.split('{x}')
  return lines.map(
    (line, index) => (index === 0 ? before : '') + line + (index === lines.length - 1 ? after : ''),
  )
}

/** A column of a key, as SQL refers to it. */
interface KeyPart {
  readonly sql: string
  readonly isText: boolean
}

/** Returns one text that is distinct for distinct parts. */
export function joinKey(parts: readonly KeyPart[], dialect: Dialect): string {
  const type = dialect.types.cast.string ?? 'varchar'
  const texts = parts.filter(({ isText }) => isText)
  const pieces = parts.flatMap((part) => {
    const text = part.isText ? part.sql : cast(part.sql, type, dialect)
    // adjacent texts could blend, so all but the last are preceded by their length
    const isAmbiguous = part.isText && part !== texts.at(-1)
    return isAmbiguous
      ? [
          cast(
            dialect.idioms.textLength.replaceAll('{x}', () => text),
            type,
            dialect,
          ),
          text,
        ]
      : [text]
  })
  return pieces.reduce((left, right) => concat(concat(left, "'|'", dialect), right, dialect))
}

function concat(a: string, b: string, { idioms }: Dialect): string {
  return idioms.concat.replaceAll(/\{[ab]\}/g, (operand) => (operand === '{a}' ? a : b))
}

/** Spells a type for YAML: as the warehouse does, unless the preset spells it differently. */
export function spellType(type: string, { dialect, preset }: TableSettings): string {
  const spelling = preset.typesAsAdapter && dialect.dbt.typeSpellings.find(([pattern]) => pattern.test(type))
  return spelling ? type.replace(spelling[0], spelling[1]) : type
}
