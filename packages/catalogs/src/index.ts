export { type CatalogPlace, catalogPlace } from './catalog-place.ts'
export { findEntry, namedCatalog, type NamedCatalogOptions, type TableEntry } from './list/named-catalog.ts'
export { openCatalog, type OpenCatalogOptions } from './open.ts'
