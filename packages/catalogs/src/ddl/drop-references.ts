import type { QualifiedName, TableDefinition } from './definitions.ts'

/** The dropped object: a table, or one of its columns. */
export interface References {
  readonly table: QualifiedName
  readonly column?: string
}

/** Returns a table without the foreign keys that point to dropped tables and columns. */
export function dropReferences(table: TableDefinition, gone: References): TableDefinition {
  const constraints = table.constraints.filter((constraint) => {
    if (constraint.kind !== 'foreign') return true
    const { columns, table: target } = constraint.references
    const isThere =
      target.name === gone.table.name && (target.schema ?? table.name.schema) === gone.table.schema
    return !isThere || (gone.column !== undefined && columns?.includes(gone.column) !== true)
  })
  return constraints.length === table.constraints.length ? table : { ...table, constraints }
}
