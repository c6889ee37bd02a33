export { loadSqlite } from './load-sqlite.ts'
export { sqlite, type SqliteClient, type SqliteOptions } from './sqlite.ts'
