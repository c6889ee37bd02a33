import type { Company } from './company/company.ts'

/** A value of a row. Lists and objects are written as JSON, which DuckDB also reads as lists and structs. */
export type Cell = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown }

export type Row = Readonly<Record<string, Cell>>

/** A table of the raw warehouse with its rows. */
export interface RawTable {
  readonly name: string
  /** Type and constraints of each column, as SQL, in the order of the table. */
  readonly columns: Readonly<Record<string, string>>
  /** The columns that identify a row, among the newest versions of all rows. */
  readonly key: readonly string[]
  /** Constraints over several columns, as SQL. */
  readonly constraints?: readonly string[]
  readonly comment?: string
  /** By column. */
  readonly comments?: Readonly<Record<string, string | undefined>>
  /** True if a declared foreign key refers to earlier rows of the same table. @default false */
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
  /** The title of the tool that fills the schema; `none` if people fill it. */
  readonly loader: string
  /** True if the keys of the tables are declared as primary keys. @default false */
  readonly declaresKeys?: boolean
  /** Enumerated types by name. */
  readonly enums?: Readonly<Record<string, readonly string[]>>
  readonly tables: readonly RawTable[]
  readonly views?: readonly RawView[]
}

/** Creates the raw tables of one system from the history of the company. */
export type SourceBuilder = (company: Company) => RawSource

/** Defines a table. The types require a value for every column in each row. */
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
