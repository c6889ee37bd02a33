import { matchName } from '../find-table.ts'
import { UnreadableSql } from '../sql/unreadable-sql.ts'
import { applyAction } from './apply-action.ts'
import type { Action, Change, QualifiedName, TableDefinition, TypeDefinition } from './definitions.ts'
import { redirect } from './redirect.ts'

type AlterTable = Extract<Change, { readonly kind: 'alter table' }>
type CreateTable = Extract<Change, { readonly kind: 'create table' }>

/** The tables and types that the statements read so far have made. */
export class SchemaState {
  readonly #types: TypeDefinition[] = []
  /** By name in lower case. */
  readonly #tables = new Map<string, readonly TableDefinition[]>()
  /** What was said of tables before they were made: files of a folder come in the order of their names. */
  readonly #early: AlterTable[] = []
  #place: Partial<Omit<QualifiedName, 'name'>> = {}

  get tables(): readonly TableDefinition[] {
    return [...this.#tables.values()].flat()
  }

  get types(): readonly TypeDefinition[] {
    return this.#types
  }

  /**
   * @throws {UnreadableSql} For a second table of one name, and for a copy of a table that is not known.
   */
  apply(change: Change): void {
    if (change.kind === 'create table') this.#create(change)
    else if (change.kind === 'alter table') this.#alterOrWait({ ...change, name: this.#qualify(change.name) })
    else if (change.kind === 'create type') this.#types.push(change.type)
    else if (change.kind === 'use') this.#use(change)
    else for (const name of change.names) this.#drop(this.#qualify(name))
  }

  /** Makes up for what was said of tables too early; what is said of none is of no concern. */
  finish(): void {
    for (const change of this.#early.splice(0)) this.#alter(change)
  }

  /** The table that a name means; undefined when there is none, or more than one. */
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

  #create({ copies, existing, table }: CreateTable): void {
    const name = this.#qualify(table.name)
    const before = this.#tables.get(name.name.toLowerCase())?.find((other) => isSame(other.name, name))
    if (before && existing === 'keep') return
    if (before && existing === 'refuse') {
      throw new UnreadableSql(-1, `one definition of ${name.name}`, 'a second one')
    }
    this.#remove(before)
    const sources = copies.map((copy) => this.find(this.#qualify(copy)))
    const missing = copies[sources.indexOf(undefined)]
    // nothing is known of a mere copy, as of a view, but half of the columns would be wrong
    if (missing && table.columns.length === 0) return
    if (missing)
      throw new UnreadableSql(-1, `a table ${missing.name} to take columns from, before it`, 'none')
    const columns = [...sources.flatMap((source) => source?.columns ?? []), ...table.columns]
    this.#add({ ...table, name, columns })
  }

  /** Only the very same name: a dump drops `twin` before it makes it, and `Twin` stays. */
  #drop(name: QualifiedName): void {
    const table = this.find(name)
    if (table?.name.name === name.name) this.#remove(table)
  }

  #alterOrWait(change: AlterTable): void {
    if (!this.#alter(change)) this.#early.push(change)
  }

  #alter({ actions, name }: AlterTable): boolean {
    let table = this.find(name)
    for (const action of actions) {
      if (action.kind === 'attach partition') this.#remove(this.find(this.#qualify(action.partition)))
      else table &&= this.#change(table, action)
    }
    return table !== undefined
  }

  #change(table: TableDefinition, action: Action): TableDefinition {
    const changed = applyAction(table, action)
    this.#remove(table)
    this.#add(changed)
    if (action.kind !== 'rename column' && action.kind !== 'rename table') return changed
    for (const other of this.tables) {
      this.#remove(other)
      this.#add(redirect(other, table.name, action))
    }
    return this.find(changed.name) ?? changed
  }

  #use({ database, schema }: Extract<Change, { readonly kind: 'use' }>): void {
    this.#place = database === undefined ? { ...this.#place, schema } : { database, schema }
  }

  #qualify({ database, name, schema }: QualifiedName): QualifiedName {
    return { database: database ?? this.#place.database, schema: schema ?? this.#place.schema, name }
  }

  #add(table: TableDefinition): void {
    const key = table.name.name.toLowerCase()
    this.#tables.set(key, [...(this.#tables.get(key) ?? []), table])
  }

  #remove(table: TableDefinition | undefined): void {
    const key = table?.name.name.toLowerCase()
    if (key === undefined) return
    this.#tables.set(
      key,
      (this.#tables.get(key) ?? []).filter((other) => other !== table),
    )
  }
}

/** A level that one of the two leaves open fits. */
function fits(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a.toLowerCase() === b.toLowerCase()
}

function isSame(a: QualifiedName, b: QualifiedName): boolean {
  return a.name === b.name && a.schema === b.schema && a.database === b.database
}
