export { databricks, type DatabricksOptions } from './databricks.ts'
