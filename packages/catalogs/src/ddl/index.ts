export { ddl, type DdlOptions } from './ddl.ts'
