export { writeDbtProject } from './dbt-project.ts'
export { buildWarehouse, type WarehouseSummary } from './warehouse.ts'
