export { postgres, type PostgresClient, type PostgresOptions } from './postgres.ts'
