export { sqlserver, type SqlserverOptions } from './sqlserver.ts'
