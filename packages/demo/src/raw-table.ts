import type { Company } from './company/company.ts'

/** A value of a row: lists and objects are stored as JSON, which lists and structs are read from too. */
export type Cell = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown }

export type Row = Readonly<Record<string, Cell>>

/** A table of the raw warehouse with all that is in it. */
export interface RawTable {
  readonly name: string
  /** Type and constraints of each column, as SQL, in the order of the table. */
  readonly columns: Readonly<Record<string, string>>
  /** Identifies a row once only the newest version of each is left. */
  readonly key: readonly string[]
  /** Constraints over several columns, as SQL. */
  readonly constraints?: readonly string[]
  readonly comment?: string
  /** By column. */
  readonly comments?: Readonly<Record<string, string | undefined>>
  /** Rows refer to earlier rows of the same table by a declared foreign key. @default false */
  readonly refersToItself?: boolean
  readonly rows: readonly Row[]
}

export interface RawView {
  readonly name: string
  readonly query: string
  readonly comment?: string
}

/** One schema of the raw warehouse. */
export interface RawSource {
  readonly schema: string
  /** Title of the tool that fills the schema; `none` when people do. */
  readonly loader: string
  /** The keys of the tables are declared as primary keys. @default false */
  readonly declaresKeys?: boolean
  /** Enumerated types by name. */
  readonly enums?: Readonly<Record<string, readonly string[]>>
  readonly tables: readonly RawTable[]
  readonly views?: readonly RawView[]
}

/** Makes the raw tables of one system out of what happened in the company. */
export type SourceBuilder = (company: Company) => RawSource

/** A table whose rows have a value for every column. */
export function defineTable<const Columns extends Readonly<Record<string, string>>>(
  table: RawTable & {
    readonly columns: Columns
    readonly key: readonly (keyof Columns)[]
    readonly comments?: Readonly<Partial<Record<keyof Columns, string>>>
    readonly rows: readonly Readonly<Record<keyof NoInfer<Columns>, Cell>>[]
  },
): RawTable {
  return table
}
