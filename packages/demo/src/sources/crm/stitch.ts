import type { Random } from '../../random.ts'
import type { Row } from '../../raw-table.ts'
import { DAY, HOUR, ifPast, MINUTE, nextRun, SECOND, timestamp, timestampOrNull } from '../../time.ts'

/** The columns that Stitch adds to tables replicated from the log of a database. */
export const STITCH_COLUMNS = {
  _sdc_extracted_at: 'timestamptz',
  _sdc_received_at: 'timestamptz',
  _sdc_batched_at: 'timestamptz',
  _sdc_sequence: 'bigint',
  _sdc_table_version: 'bigint',
  _sdc_deleted_at: 'timestamptz',
} as const

/** A row as it was after one change. */
export interface Version {
  /** 0, 1, 2 … for the row. */
  readonly number: number
  readonly at: number
  readonly isLast: boolean
  /** True if the change deleted the row. */
  readonly isDeletion: boolean
}

interface HistoryOptions {
  readonly createdAt: number
  /** The largest number of changes to the row. */
  readonly changes: number
  readonly isDeleted: boolean
}

const EVERY = HOUR / 2
const TABLE_VERSION = 1_719_792_000_123
/** The share of versions that appear twice, because a batch was sent again. */
const RESENT = 0.03

/** Returns every version of a row that Stitch appended, oldest first, some of them twice. */
export function appendVersions<Fields extends Row>(
  options: HistoryOptions,
  random: Random,
  fieldsAt: (version: Version) => Fields,
): readonly (Fields & ReturnType<typeof replicated>)[] {
  return createVersions(options, random).flatMap((version) => {
    const fields = fieldsAt(version)
    const row = { ...fields, ...replicated(version, 0) }
    return random.chance(RESENT) ? [row, { ...fields, ...replicated(version, 40 * SECOND) }] : [row]
  })
}

function createVersions(
  { changes, createdAt, isDeleted }: HistoryOptions,
  random: Random,
): readonly Version[] {
  const moments = [createdAt]
  for (let change = 0; change < changes + (isDeleted ? 1 : 0); change++) {
    const last = moments.at(-1) ?? createdAt
    const next = ifPast(last + random.integer(2, 30 * 24) * HOUR + random.integer(0, 3599) * SECOND)
    if (next !== undefined) moments.push(next)
  }
  return moments.map((at, number) => {
    const isLast = number === moments.length - 1
    return { number, at, isLast, isDeletion: isDeleted && isLast && number > 0 }
  })
}

/** Returns the columns that Stitch adds to a version, `delay` milliseconds after the earliest time. */
function replicated({ at, isDeletion, number }: Version, delay: number) {
  const run = nextRun(at + 5 * MINUTE, EVERY)
  return {
    _sdc_extracted_at: timestamp(run - 3 * MINUTE),
    _sdc_received_at: timestamp(run - 2 * MINUTE + delay),
    _sdc_batched_at: timestamp(run - MINUTE + delay),
    _sdc_sequence: `${at}${String(number).padStart(6, '0')}`,
    _sdc_table_version: TABLE_VERSION,
    _sdc_deleted_at: timestampOrNull(isDeletion ? at : undefined),
  }
}

/** Returns a random time between two moments. */
export function someTime(from: number, to: number, random: Random): number {
  return from + random.integer(0, Math.floor((to - from) / DAY) * 24 * 60) * MINUTE
}
