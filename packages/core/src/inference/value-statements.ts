import type { CatalogTable, ColumnProfile, ColumnValue, ProfiledValue, TableProfile } from '@stagecraft/spec'
import type { Dialect } from '@stagecraft/dialects'
import { cast } from '../plan/conversions.ts'
import { printLiteral, quoteIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'
import { columnsOfDays, printDays } from './days-as-values.ts'
import { isPersonal, printMayIdentify } from './personal.ts'
import { isEnum, type ResultRow } from './profile-statements.ts'
import { printRows, type Reading, WHOLE } from './reading.ts'
import { readNames } from './words-of-names.ts'

/** The most distinct values to list. */
const MOST_VALUES = 60
/** Longer texts are not codes. */
const LONGEST_VALUE = 60
/** Fewer rows show no list. */
const FEWEST_ROWS = 10

/**
 * The number of the first column with counted days: these columns are numbered from here down, those with listed
 * values from 0 up.
 */
const FIRST_OF_DAYS = -1

/**
 * Returns the one statement that lists the values of columns that may be closed lists, with their rows and those in
 * the older half of the table. In columns that may hold days, it counts the days that each conversion reads.
 * Undefined if there are no such columns. Values of columns with personal data are never queried, and texts that may
 * identify a person come back as null.
 */
export function valueStatement(
  table: CatalogTable,
  profile: TableProfile,
  { dialect, reading = WHOLE }: { readonly dialect: Dialect; readonly reading?: Reading },
): string | undefined {
  const columns = listableColumns(table, profile, dialect)
  const older = olderHalf(table, profile, dialect)
  const text = dialect.types.cast.string ?? 'varchar'
  const days = columnsOfDays(table, profile, dialect).flatMap(({ column, forms, index }) =>
    forms.map((form) =>
      [
        `select ${FIRST_OF_DAYS - index} as column_number, ${cast(`'${form}'`, text, dialect)} as column_value,`,
        `  ${printDays(column, form, dialect)} as value_rows, ${older === undefined ? 'null' : '0'} as older_rows`,
        `from ${printRows(table, reading, dialect)}`,
      ].join('\n'),
    ),
  )
  const lists = columns.map(({ index, isText, name }) => {
    const column = quoteIdentifier(name, dialect)
    const plain = cast(column, text, dialect)
    const value = isText ? `case when ${printMayIdentify(plain, dialect)} then null else ${plain} end` : plain
    return [
      `select ${index} as column_number, ${value} as column_value, count(*) as value_rows,`,
      `  ${older === undefined ? 'null' : `sum(case when ${older} then 1 else 0 end)`} as older_rows`,
      `from ${printRows(table, reading, dialect)} where ${column} is not null group by ${column}`,
    ].join('\n')
  })
  return days.length + lists.length === 0 ? undefined : [...lists, ...days].join('\nunion all\n')
}

/** Adds the answer to `valueStatement` to a profile. The most frequent values come first. */
export function withValues(
  table: CatalogTable,
  profile: TableProfile,
  { dialect, rows }: { readonly dialect: Dialect; readonly rows: readonly ResultRow[] },
): TableProfile {
  const answers = rows.map(
    (row) => new Map(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])),
  )
  const byColumn = Map.groupBy(answers, (answer) => Number(answer.get('column_number')))
  const columns = table.columns.flatMap(
    ({ name, type }, index): readonly (readonly [string, ColumnProfile])[] => {
      const known = profile.columns[name]
      if (!known) return []
      const days = readDays(byColumn.get(FIRST_OF_DAYS - index))
      const found = byColumn.get(index)
      const isWithheld = found?.some((answer) => (answer.get('column_value') ?? null) === null)
      if (!found || found.length > MOST_VALUES || isWithheld) return [[name, { ...known, ...days }]]
      const isNumber = parseType(type, dialect).family === 'integer'
      return [[name, { ...known, ...days, values: readValues(found, isNumber) }]]
    },
  )
  return { ...profile, columns: Object.fromEntries(columns) }
}

type Answer = ReadonlyMap<string, unknown>

function readDays(answers: readonly Answer[] | undefined): Pick<ColumnProfile, 'dates'> {
  if (!answers) return {}
  const counts = answers.map(
    (answer) => [answer.get('column_value'), Number(answer.get('value_rows'))] as const,
  )
  return { dates: Object.fromEntries(counts) }
}

function readValues(answers: readonly Answer[], isNumber: boolean): readonly ProfiledValue[] {
  const counted = answers.map((answer) => {
    const rows = Number(answer.get('value_rows'))
    const older = answer.get('older_rows')
    return {
      value: toValue(answer.get('column_value'), isNumber),
      rows,
      older: older === null ? undefined : Number(older),
    }
  })
  const total = counted.reduce((sum, { rows }) => sum + rows, 0)
  const olderTotal = counted.reduce((sum, { older = 0 }) => sum + older, 0)
  // a middle with nearly all rows on one side gives no halves
  const hasHalves = olderTotal >= 0.2 * total && olderTotal <= 0.8 * total
  return counted
    .map(({ older, rows, value }): ProfiledValue => {
      if (older === undefined || !hasHalves) return { value, rows }
      return { value, rows, halves: [older > 0, rows > older] }
    })
    .toSorted((a, b) => b.rows - a.rows || (String(a.value) < String(b.value) ? -1 : 1))
}

function toValue(value: unknown, isNumber: boolean): ColumnValue {
  const text = String(value)
  return isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

interface Listable {
  readonly name: string
  readonly index: number
  readonly isText: boolean
}

/** Larger numbers are not codes, and may be phone or account numbers. */
const GREATEST_NUMBER = 1_000_000

function isSmall(bound: number | string | undefined): boolean {
  return typeof bound === 'number' && Math.abs(bound) < GREATEST_NUMBER
}

function listableColumns(table: CatalogTable, profile: TableProfile, dialect: Dialect): readonly Listable[] {
  if (profile.rows < FEWEST_ROWS) return []
  const names = readNames([table])
  return table.columns.flatMap((column, index) => {
    const known = profile.columns[column.name]
    const { base, family } = parseType(column.type, dialect)
    const hasLabels = isEnum(column, dialect)
    const isText = hasLabels || (family === 'string' && !dialect.types.readAsText.includes(base))
    const isCode = isText
      ? hasLabels || (known?.maxLength ?? Infinity) <= LONGEST_VALUE
      : family === 'integer' && isSmall(known?.min) && isSmall(known?.max)
    const { distinct = 0 } = known ?? {}
    const isFew = distinct >= 1 && distinct <= MOST_VALUES && distinct <= profile.rows / 2
    if (
      !isCode ||
      !isFew ||
      isPersonal({ table: names.table(table), column: names.column(table, column) }, known, profile.rows)
    )
      return []
    return [{ name: column.name, index, isText }]
  })
}

/** Words of columns with the time when a row was created. */
const MADE = /^(?:created|inserted|ordered|registered|posted|logged|received|occurred|booked|started)/

/** Returns the condition for the older half of the rows: a growing number below its middle, or an early moment. */
function olderHalf(table: CatalogTable, profile: TableProfile, dialect: Dialect): string | undefined {
  const column = table.columns.find(({ name, type }) => {
    const known = profile.columns[name]
    const isGrowing = parseType(type, dialect).family === 'integer' && identifiesRows(known, profile)
    return (
      isGrowing && typeof known?.min === 'number' && typeof known.max === 'number' && known.min < known.max
    )
  })
  const bounds = column && profile.columns[column.name]
  if (column && typeof bounds?.min === 'number' && typeof bounds.max === 'number') {
    return `${quoteIdentifier(column.name, dialect)} <= ${Math.floor((bounds.min + bounds.max) / 2)}`
  }
  return earlyMoments(table, profile, dialect)
}

/** Returns true if each row has its own value, as far as an estimate can show. */
function identifiesRows(column: ColumnProfile | undefined, { rows }: TableProfile): boolean {
  const { approximate = false, distinct = 0 } = column ?? {}
  return approximate ? distinct >= 0.9 * rows : distinct === rows
}

function earlyMoments(table: CatalogTable, profile: TableProfile, dialect: Dialect): string | undefined {
  const moments = table.columns.flatMap(({ name, type }) => {
    const { family, text } = parseType(type, dialect)
    const { max, min, nulls } = profile.columns[name] ?? {}
    const isMoment = family === 'date' || family === 'timestamp_ntz'
    if (!isMoment || nulls !== 0 || typeof min !== 'string' || typeof max !== 'string') return []
    const middle =
      (Date.parse(`${min.slice(0, 10)}T00:00:00Z`) + Date.parse(`${max.slice(0, 10)}T00:00:00Z`)) / 2
    if (Number.isNaN(middle) || min === max) return []
    const day = new Date(middle).toISOString().slice(0, 10)
    return [
      {
        name,
        sql: `${quoteIdentifier(name, dialect)} <= ${cast(printLiteral(day, dialect), text, dialect)}`,
      },
    ]
  })
  return (moments.find(({ name }) => MADE.test(name.toLowerCase())) ?? moments[0])?.sql
}
