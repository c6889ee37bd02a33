export { athena, type AthenaOptions } from './athena.ts'
