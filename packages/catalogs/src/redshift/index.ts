export { redshift, type RedshiftOptions } from './redshift.ts'
