export { type CatalogPlace, locateCatalog } from './locate-catalog.ts'
export { findEntry, namedCatalog, type NamedCatalogOptions, type TableEntry } from './list/named-catalog.ts'
export { openCatalog, type OpenCatalogOptions } from './open.ts'
