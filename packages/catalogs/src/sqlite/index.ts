export { loadSqlite } from './sqlite.ts'
export { sqlite, type SqliteClient, type SqliteOptions } from './sqlite.ts'
