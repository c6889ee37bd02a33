import { matchName } from '../find-table.ts'
import type { QualifiedName, TableDefinition } from './definitions.ts'

/** Tables by name. */
export class TableSet {
  /** By name in lower case. */
  readonly #tables = new Map<string, readonly TableDefinition[]>()

  get all(): readonly TableDefinition[] {
    return [...this.#tables.values()].flat()
  }

  add(table: TableDefinition): void {
    const key = table.name.name.toLowerCase()
    this.#tables.set(key, [...(this.#tables.get(key) ?? []), table])
  }

  remove(table: TableDefinition | undefined): void {
    const key = table?.name.name.toLowerCase()
    if (key === undefined) return
    this.#tables.set(
      key,
      (this.#tables.get(key) ?? []).filter((other) => other !== table),
    )
  }

  replace(before: TableDefinition, after: TableDefinition): void {
    if (before === after) return
    this.remove(before)
    this.add(after)
  }

  /** Changes every table. */
  update(change: (table: TableDefinition) => TableDefinition): void {
    for (const table of this.all) this.replace(table, change(table))
  }

  /** Returns the table with exactly that name. */
  get({ database, name, schema }: QualifiedName): TableDefinition | undefined {
    return this.#tables
      .get(name.toLowerCase())
      ?.find(
        (table) =>
          table.name.name === name && table.name.schema === schema && table.name.database === database,
      )
  }

  /** Finds the table for a name; undefined if there is none, or more than one. */
  find(name: QualifiedName): TableDefinition | undefined {
    const similar = this.#tables.get(name.name.toLowerCase()) ?? []
    const match = matchName(
      { text: name.name, quoted: false },
      similar.map((table) => table.name.name),
    )
    const named = match.kind === 'one' ? similar.filter((table) => table.name.name === match.name) : []
    const fitting = named.filter(
      (table) => fits(table.name.schema, name.schema) && fits(table.name.database, name.database),
    )
    const exact = fitting.filter((table) => table.name.schema === name.schema)
    const found = exact.length > 0 ? exact : fitting
    return found.length === 1 ? found[0] : undefined
  }
}

/** Returns true if two levels match. An open level matches any. */
export function fits(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a.toLowerCase() === b.toLowerCase()
}
