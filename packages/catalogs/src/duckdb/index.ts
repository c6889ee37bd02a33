export { duckdb, type DuckdbClient, type DuckdbOptions } from './duckdb.ts'
