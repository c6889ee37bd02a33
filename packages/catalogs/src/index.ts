export { openCatalog, type OpenCatalogOptions } from './open.ts'
