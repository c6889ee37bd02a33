export { mysql, type MysqlClient, type MysqlOptions } from './mysql.ts'
