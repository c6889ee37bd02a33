import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, Column, ColumnProfile, DateCounts, TableProfile } from '@stagecraft/spec'
import { cast } from '../plan/conversions.ts'
import { quoteIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'

/** A conversion that may read a column as days. */
export type DayForm = keyof DateCounts

/** Fewer distinct values do not show the order of day and month. */
const FEWEST_DAYS = 10
/** As numbers: 1900-01-01 and 2099-12-31. */
const [FIRST_DAY, LAST_DAY] = [19_000_101, 20_991_231]

/** Returns the conversions that may read every value of a column as a day, according to its profile. */
function dayForms(
  { type }: Column,
  profile: ColumnProfile | undefined,
  { dialect, rows }: { readonly dialect: Dialect; readonly rows: number },
): readonly DayForm[] {
  const { distinct = 0, max, min, nulls = 0, patterns } = profile ?? {}
  const filled = rows - nulls
  if (distinct < FEWEST_DAYS) return []
  const { family } = parseType(type, dialect)
  if (family === 'integer') {
    const isInside = typeof min === 'number' && typeof max === 'number' && min >= FIRST_DAY && max <= LAST_DAY
    return isInside ? ['date_yyyymmdd'] : []
  }
  if (patterns?.date === filled) return ['date']
  if (patterns?.parted === filled) return ['date_day_first', 'date_month_first']
  return patterns?.digits === filled ? ['date_yyyymmdd'] : []
}

/** Prints the expression that counts the rows in which a column holds an existing day. */
export function printDays(column: Column, form: DayForm, dialect: Dialect): string {
  const name = quoteIdentifier(column.name, dialect)
  const isText = parseType(column.type, dialect).family === 'string'
  const text = isText ? name : cast(name, dialect.types.cast.string ?? 'varchar', dialect)
  const { dates, isDate } = dialect.idioms
  const condition = isDate[form] ?? (form === 'date' ? isDate.date : `${dates[form]} is not null`)
  return `sum(case when ${condition.replaceAll('{x}', () => text)} then 1 else 0 end)`
}

/** Returns every column of a table with the forms in which it may hold days. */
export function columnsOfDays(
  { columns }: CatalogTable,
  { columns: known, rows }: TableProfile,
  dialect: Dialect,
): readonly { readonly column: Column; readonly index: number; readonly forms: readonly DayForm[] }[] {
  return columns.map((column, index) => ({
    column,
    index,
    forms: dayForms(column, known[column.name], { dialect, rows }),
  }))
}
