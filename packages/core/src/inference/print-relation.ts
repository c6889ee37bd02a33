import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable } from '@stagecraft/spec'
import { quoteIdentifier } from '../sql/identifiers.ts'

/** Prints the name of a table for a statement outside dbt. */
export function printRelation({ database, location, name, schema }: CatalogTable, dialect: Dialect): string {
  if (location !== undefined) return location
  const parts = dialect.identifiers.namespaces.length > 1 ? [database, schema, name] : [schema, name]
  return parts.flatMap((part) => (part === undefined ? [] : [quoteIdentifier(part, dialect)])).join('.')
}
