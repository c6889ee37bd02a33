export { trino, type TrinoOptions } from './trino.ts'
export { exportStatements, statements } from './statements.ts'
export { toTables } from './to-tables.ts'
