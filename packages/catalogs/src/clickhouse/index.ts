export { clickhouse, type ClickhouseOptions } from './clickhouse.ts'
export { statements } from './statements.ts'
export { toTables } from './to-tables.ts'
