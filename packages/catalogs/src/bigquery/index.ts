export { bigquery, type BigqueryOptions } from './bigquery.ts'
