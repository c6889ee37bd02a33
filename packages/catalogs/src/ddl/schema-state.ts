import type { DialectName } from '@stagecraft/spec'
import { UnreadableSql } from '../sql/cursor.ts'
import { applyAction } from './apply-action.ts'
import {
  type Action,
  type Change,
  type Constraint,
  type Copy,
  GROUP_OF,
  type QualifiedName,
  type Reference,
  type TableDefinition,
  knownParts,
} from './definitions.ts'
import { copyParts } from './copy.ts'
import { columnsBeside, mergeColumns, onlyKnown } from './merge-columns.ts'
import { requireKey } from './require-key.ts'
import { nameConstraint } from './name-constraints.ts'
import { resolveQuery } from './query/resolve.ts'
import { ddlRulesOf } from './script.ts'
import { LateViews, type Place } from './late-views.ts'
import { dropReferences, redirect, type References } from './references.ts'
import { fits, TableSet } from './table-set.ts'
import { TypeSet } from './type-set.ts'

type Of<Kind extends Change['kind']> = Extract<Change, { readonly kind: Kind }>

/**
 * Actions that may come before their table exists, because files of a folder are read in the order of their
 * names.
 */
const MAY_WAIT: ReadonlySet<Action['kind']> = new Set([
  'add column',
  'add constraint',
  'attach partition',
  'set column',
  'set comment',
])

/** The tables and types that the statements so far have created. */
export class SchemaState {
  readonly types = new TypeSet()
  readonly #dialect: DialectName | undefined
  readonly #tables = new TableSet()
  /** Changes of tables that came before their creation. */
  readonly #early: Of<'alter table'>[] = []
  readonly #late = new LateViews({
    tables: this.#tables,
    create: (change, place) => this.#at(place, () => this.#create(change)),
    columnsOf: (change, place) => this.#at(place, () => this.#columnsOf(change).columns),
  })
  #place: Place = {}
  /** The schema of a CREATE SCHEMA, while its tables are read. */
  #element: string | undefined

  constructor(dialect: DialectName | undefined) {
    this.#dialect = dialect
  }

  get tables(): readonly TableDefinition[] {
    return this.#tables.all
  }

  /** Sets the schema of tables without one, until the end of the CREATE SCHEMA statement. */
  set element(schema: string | undefined) {
    this.#element = schema
  }

  find(name: QualifiedName): TableDefinition | undefined {
    return this.#tables.find(name)
  }

  /**
   * @param report Reports a view whose columns are still unknown at the end. Default: it is refused at once.
   * @throws {UnreadableSql} For a second table with the same name, a copy of an unknown table, and a view
   * with unknown columns.
   */
  apply(change: Change, report?: (error: UnreadableSql) => void): void {
    if (change.kind === 'create table') this.#createOrWait(change, report)
    else if (change.kind === 'alter table') this.#alterOrWait({ ...change, name: this.#qualify(change.name) })
    else if (change.kind === 'drop table') this.#drop(change)
    else if (change.kind === 'rename tables') this.#rename(change)
    else if (change.kind === 'drop index' || change.kind === 'rename index') this.#changeIndex(change)
    else if (change.kind === 'use') this.#use(change)
    else if (change.kind === 'all') for (const one of change.changes) this.apply(one, report)
    else if (change.kind === 'create schema') this.#useIfCurrent(change)
    else if (change.kind === 'rename schema') this.#moveSchema(change)
    else if (change.kind === 'drop schema') this.#dropSchemas(change)
    else if (change.kind === 'create type')
      this.types.add({ ...change.type, name: this.#qualify(change.type.name) })
    else if (change.kind === 'alter type') this.#alterType(change)
    else this.#dropTypes(change)
  }

  /** Completes views over tables that came after them, and applies earlier actions; those on missing tables are dropped. */
  finish(): void {
    this.#late.complete()
    for (const change of this.#early.splice(0)) this.#alter(change)
  }

  #createOrWait(change: Of<'create table'>, report: ((error: UnreadableSql) => void) | undefined): void {
    if (change.table.kind !== 'view' || !report) return this.#create(change)
    const table = { ...change.table, name: this.#qualify(change.table.name) }
    this.#late.create({ change: { ...change, table }, place: this.#place, report, isMade: false })
  }

  /** Does the work as if it were at another place of the script. */
  #at<Result>(place: Place, work: () => Result): Result {
    const before = this.#place
    this.#place = place
    try {
      return work()
    } finally {
      this.#place = before
    }
  }

  #create(change: Of<'create table'>): void {
    const { copies, existing, table } = change
    const name = this.#qualify(table.name)
    const before = this.#tables.get(name)
    if (before && existing === 'keep') return
    const isStandIn = before?.kind === 'view' && table.kind === 'view' // in a dump, before its tables exist
    if (before && existing === 'refuse' && !isStandIn)
      throw new UnreadableSql(-1, `one definition of ${name.name}`, 'a second one')
    const { columns: own, reason: unknown } = this.#columnsOf(change)
    const sources = copies.flatMap((copy) => this.#sourceOf(copy) ?? [])
    const missing = copies.find((copy) => !this.#sourceOf(copy))
    const reason = missing ? missingSource(missing) : unknown
    if (missing && own.length === 0) throw missingSource(missing)
    this.#tables.remove(before)
    const copied = sources.map(({ copy, source }) => copyParts(source, copy, this.#dialect))
    const bare: TableDefinition = {
      ...table,
      name,
      comment: table.comment ?? copied.find(({ comment }) => comment !== undefined)?.comment,
      columns: mergeColumns(
        copied.flatMap(({ columns }) => columns),
        own,
      ),
      constraints: [],
    }
    const constraints = [...copied.flatMap((one) => one.constraints), ...table.constraints]
    this.#tables.add(constraints.reduce((made, constraint) => this.#addConstraint(made, constraint), bare))
    if (reason) throw reason
  }

  #sourceOf(copy: Copy): { readonly copy: Copy; readonly source: TableDefinition } | undefined {
    const source = this.find(this.#qualify(copy.of))
    return source && { copy, source }
  }

  /** Returns the columns, and the reason if some are unknown. */
  #columnsOf({ names, query, table }: Of<'create table'>): Pick<TableDefinition, 'columns'> & {
    readonly reason?: UnreadableSql
  } {
    if (!query) return table
    const find = (name: QualifiedName): TableDefinition | undefined => this.find(this.#qualify(name))
    const isList = table.kind === 'table' && table.columns.length > 0
    if (isList && ddlRulesOf(this.#dialect).listBesideQuery === 'columns') {
      const resolved = resolveQuery(query, find)
      return 'reason' in resolved
        ? { columns: table.columns, reason: resolved.reason }
        : { columns: columnsBeside(resolved.columns, table.columns) }
    }
    const own = table.columns.length > 0 ? table.columns.map(({ name }) => name) : names
    const resolved = resolveQuery(query, find, own)
    if ('reason' in resolved) throw resolved.reason
    // the statement overrides the query
    const stated = (index: number) => onlyKnown(table.columns[index] ?? {})
    return { columns: resolved.columns.map((column, index) => ({ ...column, ...stated(index) })) }
  }

  /** Drops only tables with exactly this name: a dump drops `twin` before it creates it, and `Twin` stays. */
  #drop({ cascades, names }: Of<'drop table'>): void {
    for (const name of names) {
      this.#forgetChanges(this.#qualify(name))
      this.#late.forget(this.#qualify(name))
      const table = this.find(this.#qualify(name))
      if (table?.name.name !== name.name) continue
      this.#tables.remove(table)
      if (cascades) this.#dropReferences({ table: table.name })
    }
  }

  /** Forgets earlier changes of columns: they were for the dropped table. Its keys may be in another file. */
  #forgetChanges(of: QualifiedName): void {
    const isOther = ({ name }: Of<'alter table'>): boolean =>
      name.name !== of.name || name.schema !== of.schema
    const kept = this.#early
      .splice(0)
      .map((change) =>
        isOther(change)
          ? change
          : { ...change, actions: change.actions.filter(({ kind }) => kind !== 'set column') },
      )
    this.#early.push(...kept)
  }

  #rename({ pairs }: Of<'rename tables'>): void {
    for (const [from, to] of pairs)
      this.#alter({
        kind: 'alter table',
        name: this.#qualify(from),
        actions: [{ kind: 'rename table', to: this.#qualify(to) }],
      })
  }

  #alterOrWait(change: Of<'alter table'>): void {
    if (this.#alter(change)) return
    const actions = change.actions.filter(({ kind }) => MAY_WAIT.has(kind))
    if (actions.length > 0) this.#early.push({ ...change, actions })
  }

  #alter({ actions, name }: Of<'alter table'>): boolean {
    let table = this.find(name)
    for (const action of actions) {
      if (action.kind === 'attach partition') this.#tables.remove(this.find(this.#qualify(action.partition)))
      else table &&= this.#change(table, action)
    }
    return table !== undefined
  }

  #change(table: TableDefinition, action: Action): TableDefinition {
    const changed =
      action.kind === 'add constraint'
        ? this.#addConstraint(table, action.constraint)
        : applyAction(table, action, this.#dialect)
    this.#tables.replace(table, changed)
    if (action.kind === 'drop column') this.#dropReferences({ table: table.name, column: action.column })
    if (action.kind !== 'rename column' && action.kind !== 'rename table') return changed
    this.#tables.update((other) => redirect(other, table.name, action))
    return this.#tables.get(changed.name) ?? changed
  }

  /** Adds a constraint. It gets its name and target now, because both may change later. */
  #addConstraint(table: TableDefinition, constraint: Constraint): TableDefinition {
    const isTaken = (name: string): boolean =>
      [table, ...this.tables].some(
        (other) =>
          fits(other.name.schema, table.name.schema) && other.constraints.some((one) => one.name === name),
      )
    const named = nameConstraint(constraint, { table, dialect: this.#dialect, isTaken })
    const pointed =
      named.kind === 'foreign' ? { ...named, references: this.#point(named.references, table) } : named
    const others =
      pointed.kind === 'primary'
        ? table.constraints.filter(({ kind }) => kind !== 'primary')
        : table.constraints
    return requireKey({ ...table, constraints: [...others, pointed] }, this.#dialect)
  }

  #point(reference: Reference, table: TableDefinition): Reference {
    const wanted = this.#qualify(reference.table)
    const isSelf = wanted.name === table.name.name && fits(wanted.schema, table.name.schema)
    const target = isSelf
      ? table
      : (this.find({ ...wanted, schema: wanted.schema ?? table.name.schema }) ?? this.find(wanted))
    if (!target)
      return {
        ...reference,
        table: { ...reference.table, schema: reference.table.schema ?? this.#element ?? this.#place.schema },
      }
    const primary = target.constraints.find(({ kind }) => kind === 'primary')
    const columns = reference.columns ?? (primary && 'columns' in primary ? primary.columns : undefined)
    return { table: target.name, columns }
  }

  #dropReferences(to: References): void {
    this.#tables.update((table) => dropReferences(table, to))
  }

  /** Changes an index. Its name is unique in its schema. */
  #changeIndex(change: Of<'drop index'> | Of<'rename index'>): void {
    const names = change.kind === 'drop index' ? change.names : [change.name]
    for (const name of names.map((one) => this.#qualify(one))) {
      const owner = this.tables.find(
        (table) =>
          fits(table.name.schema, name.schema) &&
          table.constraints.some((one) => one.name === name.name && GROUP_OF[one.kind] === 'keys'),
      )
      if (!owner) continue
      const action: Action =
        change.kind === 'drop index'
          ? { kind: 'drop constraint', name: name.name, group: 'keys' }
          : { kind: 'rename constraint', name: name.name, to: change.to, group: 'keys' }
      this.#change(owner, action)
    }
  }

  #alterType({ action, name }: Of<'alter type'>): void {
    const type = this.types.alter(this.#qualify(name), action)
    if (!type || action.kind !== 'rename type') return
    const to = { ...type.name, ...knownParts(action.to) }
    this.#tables.update((table) => this.types.rename(table, type, to))
  }

  #dropTypes({ cascades, names }: Of<'drop type'>): void {
    for (const name of names) {
      const type = this.types.drop(this.#qualify(name))
      if (!type || !cascades) continue
      for (const table of this.tables) {
        const lost = table.columns.filter((column) => this.types.isOf(column, type, table))
        for (const column of lost)
          this.#alter({
            kind: 'alter table',
            name: table.name,
            actions: [{ kind: 'drop column', column: column.name }],
          })
      }
    }
  }

  #moveSchema({ schema, to }: Of<'rename schema'>): void {
    for (const table of this.tables.filter(({ name }) => name.schema === schema))
      this.#change(table, { kind: 'rename table', to: { schema: to } })
    this.types.moveSchema(schema, to)
  }

  #dropSchemas({ schemas }: Of<'drop schema'>): void {
    for (const table of this.tables.filter(({ name }) => schemas.includes(name.schema ?? ''))) {
      this.#tables.remove(table)
      this.#dropReferences({ table: table.name })
    }
    for (const schema of schemas) this.types.dropSchema(schema)
  }

  #useIfCurrent({ database, isUsed, schema }: Of<'create schema'>): void {
    if (isUsed) this.#use({ kind: 'use', schema, ...(database !== undefined && { database }) })
  }

  #use({ database, schema }: Of<'use'>): void {
    this.#place = database === undefined ? { ...this.#place, schema } : { database, schema }
  }

  #qualify({ database, name, schema }: QualifiedName): QualifiedName {
    return {
      database: database ?? this.#place.database,
      schema: schema ?? this.#element ?? this.#place.schema,
      name,
    }
  }
}

function missingSource({ of }: Copy): UnreadableSql {
  return new UnreadableSql(-1, `a table ${of.name} before it, to copy columns from`, 'none')
}
