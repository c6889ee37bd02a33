export { sqlite, type SqliteClient, type SqliteOptions } from './sqlite.ts'
