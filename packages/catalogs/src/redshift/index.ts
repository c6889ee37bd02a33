export type { RedshiftOptions } from './connection.ts'
export { redshift } from './redshift.ts'
