import { parseType } from '../sql/types.ts'
import type { Subject } from './subject.ts'

/**
 * Functions of a time that give its day, or a shorter part of it, in the partitions of BigQuery, ClickHouse, Iceberg and
 * MySQL: `DATE(at)`, `TIMESTAMP_TRUNC(at, HOUR)`, `toDate(at)`, `day(at)`, `to_days(at)`.
 */
const BY_DAY =
  /^(?:date|todate|day|days|to_days|hour|hours|tostartofday|toyyyymmdd|(?:date|datetime|timestamp)_trunc)\(\s*["`]?([^"`(),]+?)["`]?\s*(?:,\s*(?:day|hour)\s*)?\)$/i

/** The stored name of the date or time by whose day a table is partitioned; undefined where none is. */
export function findDayPartition({ settings, table }: Subject): string | undefined {
  const [first] = table.storage?.partitionedBy ?? []
  if (first === undefined) return undefined
  const name = BY_DAY.exec(first)?.[1] ?? first
  const column = table.columns.find((one) => one.name.toLowerCase() === name.toLowerCase())
  const { family } = parseType(column?.type ?? '', settings.dialect)
  const isMoment = family === 'date' || family.startsWith('timestamp')
  return isMoment ? column?.name : undefined
}
