import { UnreadableSql } from '../sql/cursor.ts'
import type { Change, ColumnDefinition, QualifiedName } from './definitions.ts'
import type { TableSet } from './table-set.ts'

type Create = Extract<Change, { readonly kind: 'create table' }>

/** The current database and schema. */
export type Place = Partial<Omit<QualifiedName, 'name'>>

interface LateView {
  /** With the qualified name. */
  readonly change: Create
  readonly place: Place
  /** Reports that its columns are still unknown at the end. */
  readonly report: (error: UnreadableSql) => void
  /** True if only types of its columns are unknown. */
  readonly isMade: boolean
}

interface LateViewsOptions {
  readonly tables: TableSet
  readonly create: (change: Create, place: Place) => void
  readonly columnsOf: (change: Create, place: Place) => readonly ColumnDefinition[]
}

/** Views over tables that are not known yet: in a folder, they may come after the view. */
export class LateViews {
  readonly #views: LateView[] = []
  readonly #options: LateViewsOptions

  constructor(options: LateViewsOptions) {
    this.#options = options
  }

  /**
   * Creates a view, and remembers it if its columns are unknown.
   *
   * @throws {UnreadableSql} For a second view with the same name.
   */
  create(view: LateView): void {
    const { change, place } = view
    const { name } = change.table
    this.forget(name)
    try {
      this.#options.create(change, place)
    } catch (error) {
      if (!(error instanceof UnreadableSql) || this.#options.tables.get(name)) throw error
      this.#views.push(view)
      return
    }
    const made = this.#options.tables.get(name)
    if (made?.columns.some(({ type }) => type === undefined)) this.#views.push({ ...view, isMade: true })
  }

  forget({ name, schema }: QualifiedName): void {
    const isOther = ({ change: { table } }: LateView): boolean =>
      table.name.name !== name || table.name.schema !== schema
    this.#views.push(...this.#views.splice(0).filter(isOther))
  }

  /** Reads the views again while that completes some of them, because one may be over another. */
  complete(): void {
    for (let before = Infinity; this.#views.length > 0 && this.#views.length < before;) {
      before = this.#views.length
      this.#views.push(...this.#views.splice(0).filter((view) => !this.#isCompleted(view)))
    }
    for (const { change, isMade, place, report } of this.#views.splice(0)) {
      try {
        if (!isMade) this.#options.create(change, place)
      } catch (error) {
        if (!(error instanceof UnreadableSql)) throw error
        report(error)
      }
    }
  }

  /** Returns true if nothing more can become known of a view. */
  #isCompleted({ change, isMade, place }: LateView): boolean {
    const { columnsOf, create, tables } = this.#options
    const made = tables.get(change.table.name)
    if (isMade !== (made !== undefined)) return true // renamed, dropped, or another one was created
    try {
      const columns = columnsOf(change, place)
      if (!made) create(change, place)
      else tables.replace(made, { ...made, columns: made.columns.map((one) => completed(one, columns)) })
      return !made || columns.every(({ type }) => type !== undefined)
    } catch (error) {
      if (!(error instanceof UnreadableSql)) throw error
      return false
    }
  }
}

/** Returns a column with the type that it has in a later reading of its view. */
function completed(column: ColumnDefinition, columns: readonly ColumnDefinition[]): ColumnDefinition {
  const same = column.type === undefined ? columns.find(({ name }) => name === column.name) : undefined
  return { ...column, ...(same && { type: same.type, typeName: same.typeName, values: same.values }) }
}
