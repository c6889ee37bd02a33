export { dbt, type DbtOptions } from './dbt.ts'
export { readDbtProject } from './project.ts'
