import type {
  ColumnDefinition,
  QualifiedName,
  TableDefinition,
  TypeAction,
  TypeDefinition,
} from './definitions.ts'

/** The types that a script has defined so far. */
export class TypeSet {
  #types: readonly TypeDefinition[] = []

  /** Adds a type, and replaces one with the same name. */
  add(type: TypeDefinition): void {
    this.#types = [
      ...this.#types.filter(({ name }) => name.name !== type.name.name || name.schema !== type.name.schema),
      type,
    ]
  }

  /** Changes a type, and returns its previous definition. */
  alter(name: QualifiedName, action: TypeAction): TypeDefinition | undefined {
    const type = this.find(name)
    if (type) this.#types = this.#types.map((one) => (one === type ? applyToType(type, action) : one))
    return type
  }

  drop(name: QualifiedName): TypeDefinition | undefined {
    const type = this.find(name)
    this.#types = this.#types.filter((one) => one !== type)
    return type
  }

  dropSchema(schema: string): void {
    this.#types = this.#types.filter(({ name }) => name.schema !== schema)
  }

  moveSchema(schema: string, to: string): void {
    this.#types = this.#types.map((type) =>
      type.name.schema === schema ? { ...type, name: { ...type.name, schema: to } } : type,
    )
  }

  /** Finds the type with that name and schema, otherwise the only one with that name. */
  find({ name, schema }: QualifiedName): TypeDefinition | undefined {
    const named = this.#types.filter((type) => type.name.name === name)
    return named.find((type) => type.name.schema === schema) ?? (named.length === 1 ? named[0] : undefined)
  }

  /** Returns the type of a column, if the script defines it. */
  ofColumn({ typeName }: ColumnDefinition, table: TableDefinition): TypeDefinition | undefined {
    return typeName && this.find({ ...typeName, schema: typeName.schema ?? table.name.schema })
  }

  isOf({ typeName }: ColumnDefinition, type: TypeDefinition, table: TableDefinition): boolean {
    if (typeName?.name !== type.name.name) return false
    const schema = typeName.schema ?? table.name.schema
    return (
      schema === type.name.schema ||
      !this.#types.some(({ name }) => name.name === typeName.name && name.schema === schema)
    )
  }

  /** Returns a table with columns that follow the new name of their type. */
  rename(table: TableDefinition, type: TypeDefinition, to: QualifiedName): TableDefinition {
    const columns = table.columns.map((column) =>
      this.isOf(column, type, table)
        ? {
            ...column,
            typeName: { schema: column.typeName?.schema && to.schema, name: to.name },
            type: to.name,
          }
        : column,
    )
    return { ...table, columns }
  }
}

function applyToType(type: TypeDefinition, action: TypeAction): TypeDefinition {
  switch (action.kind) {
    case 'add value':
      return { ...type, values: insertValue(type.values ?? [], action) }
    case 'rename value':
      return { ...type, values: type.values?.map((value) => (value === action.value ? action.to : value)) }
    case 'rename type':
      return { ...type, name: { ...type.name, ...action.to, schema: action.to.schema ?? type.name.schema } }
    case 'set type':
    default:
      return { ...type, ...action.facts }
  }
}

function insertValue(
  values: NonNullable<TypeDefinition['values']>,
  { place, value }: Extract<TypeAction, { readonly kind: 'add value' }>,
): NonNullable<TypeDefinition['values']> {
  if (values.includes(value)) return values // IF NOT EXISTS
  const at = place ? values.indexOf(place.of) : -1
  if (!place || at < 0) return [...values, value]
  return values.toSpliced(place.side === 'before' ? at : at + 1, 0, value)
}
