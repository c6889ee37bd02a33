import { DIALECTS } from '@stagecraft/core'
import type { CatalogTable } from '@stagecraft/spec'
import { parseType } from '../../packages/core/src/sql/types.ts'
import { type Engine, inUtc, type Session } from './engine.ts'
import type { RawTable } from './raw-tables.ts'
import { run, stage } from './stage.ts'

type ConversionName =
  | 'epoch_seconds'
  | 'epoch_milliseconds'
  | 'epoch_microseconds'
  | 'cents'
  | 'boolean'
  | 'integer'
  | 'timestamp'
  | 'date_day_first'
  | 'date_month_first'
  | 'date_yyyymmdd'

/** A column, what it is converted to, and its values before and after. */
interface Conversion {
  readonly name: string
  readonly type: 'integer' | 'string'
  readonly as: ConversionName
  readonly values: readonly (readonly [raw: string, staged: string])[]
  /** Some are no days; dialects without a conversion that says so by null are not asked. @default false */
  readonly isOdd?: boolean
}

/** Their conversions of days are errors where a text is none. */
const WITHOUT_A_TRY: ReadonlySet<string> = new Set(['postgres', 'mysql'])

/** Before 1970, with digits that a wrong division loses, and cents that a division of integers loses. */
const CONVERSIONS: readonly Conversion[] = [
  {
    name: 'seconds',
    type: 'integer',
    as: 'epoch_seconds',
    values: [
      ['1719793800', '2024-07-01 00:30:00'],
      ['-1', '1969-12-31 23:59:59'],
    ],
  },
  {
    name: 'milliseconds',
    type: 'integer',
    as: 'epoch_milliseconds',
    values: [
      ['1719793800123', '2024-07-01 00:30:00.123'],
      ['-1', '1969-12-31 23:59:59.999'],
    ],
  },
  {
    name: 'microseconds',
    type: 'integer',
    as: 'epoch_microseconds',
    values: [
      ['1719793800123456', '2024-07-01 00:30:00.123456'],
      ['-1', '1969-12-31 23:59:59.999999'],
    ],
  },
  {
    name: 'price',
    type: 'integer',
    as: 'cents',
    values: [
      ['1999', '19.99'],
      ['-5', '-0.05'],
    ],
  },
  {
    name: 'agreed',
    type: 'string',
    as: 'boolean',
    values: [
      ["' Yes '", 'true'],
      ["'N'", 'false'],
    ],
  },
  {
    name: 'opted',
    type: 'integer',
    as: 'boolean',
    values: [
      ['1', 'true'],
      ['0', 'false'],
    ],
  },
  {
    name: 'counted',
    type: 'string',
    as: 'integer',
    values: [
      ["'42'", '42'],
      ["'-7'", '-7'],
    ],
  },
  {
    name: 'sent',
    type: 'string',
    as: 'timestamp',
    values: [
      ["'2026-01-01T10:00:00+02:00'", '2026-01-01 08:00:00'],
      ["'2026-01-01 23:30:00.25 -0500'", '2026-01-02 04:30:00.25'],
    ],
  },
  {
    name: 'stored',
    type: 'string',
    as: 'timestamp',
    values: [
      ["'2026-01-01T10:00:00Z'", '2026-01-01 10:00:00'],
      ["'2026-01-02'", '2026-01-02 00:00:00'],
    ],
  },
  {
    name: 'noted',
    type: 'string',
    as: 'timestamp',
    values: [
      ["'2026-01-01 10:00:00'", '2026-01-01 10:00:00'],
      ["'2026-01-01T10:00:00.5+05:30'", '2026-01-01 04:30:00.5'],
    ],
  },
  {
    name: 'met',
    type: 'string',
    as: 'date_day_first',
    values: [
      ["'03/04/1950'", '1950-04-03'],
      ["'29.02.2024'", '2024-02-29'],
    ],
  },
  {
    name: 'called',
    type: 'string',
    as: 'date_month_first',
    values: [
      ["'03-04-2025'", '2025-03-04'],
      ["'12/31/1999'", '1999-12-31'],
    ],
  },
  {
    name: 'shipped',
    type: 'string',
    as: 'date_day_first',
    values: [
      ["'3/4/2025'", '2025-04-03'],
      ["'30-9-2025'", '2025-09-30'],
    ],
  },
  {
    name: 'filed',
    type: 'string',
    as: 'date_yyyymmdd',
    values: [
      ["'20250131'", '2025-01-31'],
      ["'19491231'", '1949-12-31'],
    ],
  },
  {
    name: 'booked',
    type: 'integer',
    as: 'date_yyyymmdd',
    values: [
      ['20250131', '2025-01-31'],
      ['20240229', '2024-02-29'],
    ],
  },
  {
    name: 'heard',
    type: 'string',
    as: 'date_day_first',
    isOdd: true,
    values: [
      ["'31/02/2025'", 'null'],
      ["'soon'", 'null'],
    ],
  },
  {
    name: 'seen',
    type: 'string',
    as: 'date_month_first',
    isOdd: true,
    values: [
      ["'13/01/2025'", 'null'],
      ["''", 'null'],
    ],
  },
  {
    name: 'kept',
    type: 'string',
    as: 'date_yyyymmdd',
    isOdd: true,
    values: [
      ["'20250229'", 'null'],
      ["'n/a'", 'null'],
    ],
  },
]

/** A table whose columns are converted, with a row of nulls. */
export function conversionTable(engine: Engine, schema: string): RawTable {
  const type = { integer: columnType(engine, 'integer'), string: columnType(engine, 'string') }
  return {
    table: {
      schema,
      name: 'conversions',
      columns: CONVERSIONS.map((one) => ({ name: one.name, type: type[one.type] })),
    },
    rows: [
      ...[0, 1].map((row) => CONVERSIONS.map(({ values }) => values[row]?.[0] ?? 'null')),
      CONVERSIONS.map(() => 'null'),
    ],
  }
}

/** The widest type of a family that the engine is tested with. */
function columnType({ dialect, types }: Engine, family: 'integer' | 'string'): string {
  const fitting = types.filter(({ type }) => parseType(type, DIALECTS[dialect]).family === family)
  const big = fitting.find(({ type }) => /bigint|int64|number/i.test(type)) ?? fitting[0]
  return big?.type ?? family
}

/** Stages the table and holds each value against what it means. */
export async function findWrongConversions(
  session: Session,
  table: CatalogTable,
  engine: Engine,
): Promise<readonly string[]> {
  const { cast } = DIALECTS[engine.dialect].types
  const known = CONVERSIONS.filter(
    ({ as, isOdd }) =>
      (as !== 'timestamp' || cast.timestamp_ntz !== undefined) &&
      !(isOdd === true && WITHOUT_A_TRY.has(engine.dialect)),
  )
  const columns = Object.fromEntries(known.map(({ as, name }) => [name, { as, name }]))
  const config = { sources: { [table.schema ?? '']: { tables: { conversions: { columns } } } } }
  const { plan, sql } = stage(table, engine.dialect, config)
  const { rows } = await run(session, sql)
  return known.flatMap(({ as, name, values }) => {
    const place = plan.columns.findIndex((column) => column.name === name)
    const found = rows.map((row) => plain(row[place] ?? null, as)).toSorted()
    const wanted = [...values.map(([, staged]) => staged), 'null'].toSorted()
    const expression = plan.columns[place]?.expression.join(' ')
    return found.join() === wanted.join() ? [] : [`${expression}: ${found.join()}, expected ${wanted.join()}`]
  })
}

/** Without what SQLite says of the type, without zeros at the end, and with words for truth. */
function plain(value: string | null, as: ConversionName): string {
  if (value === null) return 'null'
  const text = inUtc(value.replace(/^(?:number|bigint|string|text) /, ''))
  if (as === 'boolean')
    return text
      .toLowerCase()
      .replace(/^[1t]$/, 'true')
      .replace(/^[0f]$/, 'false')
  return as === 'cents' ? String(Number(text)) : text
}
