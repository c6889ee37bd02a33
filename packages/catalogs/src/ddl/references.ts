import {
  type Action,
  type Constraint,
  type QualifiedName,
  type Reference,
  type TableDefinition,
  knownParts,
} from './definitions.ts'

type Renaming = Extract<Action, { readonly kind: 'rename column' | 'rename table' }>

/** Returns a table with foreign keys that follow the new name of their target table, or of its column. */
export function redirect(table: TableDefinition, renamed: QualifiedName, action: Renaming): TableDefinition {
  const follow = (constraint: Constraint): Constraint => {
    if (constraint.kind !== 'foreign') return constraint
    const { name, schema = table.name.schema } = constraint.references.table
    const pointsThere = name === renamed.name && schema === renamed.schema
    return pointsThere ? { ...constraint, references: rename(constraint.references, action) } : constraint
  }
  return { ...table, constraints: table.constraints.map(follow) }
}

function rename({ columns, table }: Reference, action: Renaming): Reference {
  if (action.kind === 'rename table') return { columns, table: { ...table, ...knownParts(action.to) } }
  return { table, columns: columns?.map((name) => (name === action.column ? action.to : name)) }
}

/** The dropped object: a table, or one of its columns. */
export interface References {
  readonly table: QualifiedName
  readonly column?: string
}

/** Returns a table without the foreign keys that point to dropped tables and columns. */
export function dropReferences(table: TableDefinition, dropped: References): TableDefinition {
  const constraints = table.constraints.filter((constraint) => {
    if (constraint.kind !== 'foreign') return true
    const { columns, table: target } = constraint.references
    const isThere =
      target.name === dropped.table.name && (target.schema ?? table.name.schema) === dropped.table.schema
    return !isThere || (dropped.column !== undefined && columns?.includes(dropped.column) !== true)
  })
  return constraints.length === table.constraints.length ? table : { ...table, constraints }
}
