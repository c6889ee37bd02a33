export { columns, type ColumnsOptions } from './columns.ts'
