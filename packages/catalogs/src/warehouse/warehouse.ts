import type {
  ColumnValue,
  DialectName,
  SizesOptions,
  TableKind,
  TableStorage,
  Warning,
} from '@stagecraft/spec'

/** The place of a table inside the database that is read. */
export interface TablePlace {
  readonly schema: string
  readonly table: string
}

/** The description of a database by itself: one row. */
export interface Place {
  /** Undefined where the warehouse has no level above schemas. */
  readonly database: string | undefined
  /** The schema in which a table without one is looked up; undefined if nothing says so. */
  readonly defaultSchema: string | undefined
  /** The address names the default schema, so that "everything" is that schema. Default false. */
  readonly isOneSchema?: boolean
  readonly schemas: readonly {
    readonly name: string
    /** Part of the engine: only read if requested by name. */
    readonly isSystem: boolean
  }[]
}

/** Selects whole schemas, or the named tables in them. */
export interface Scope {
  readonly schemas: readonly string[]
  readonly tables?: readonly string[]
}

export interface TableRow extends TablePlace {
  readonly kind: TableKind
  readonly comment?: string | null
  readonly location?: string
  /** Default: not known. */
  readonly storage?: TableStorage | undefined
}

/** One column. Rows of a table come in the order of its columns. */
export interface ColumnRow extends TablePlace {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly comment?: string | null
  readonly default?: string | null
  /** The labels of an enum type. */
  readonly values?: readonly ColumnValue[] | null | undefined
  /** `select *` leaves it out. */
  readonly hidden?: boolean
}

/** A key, its columns in key order. */
export interface KeyRow extends TablePlace {
  readonly kind: 'primary' | 'unique'
  readonly columns: readonly string[]
}

export interface ForeignKeyRow extends TablePlace {
  readonly columns: readonly string[]
  readonly references: TablePlace & { readonly columns: readonly string[] }
}

/** The values that a CHECK constraint or a type allows a column. */
export interface CheckRow extends TablePlace {
  readonly expression: string
  /** The column, when the expression only calls it `VALUE`: the check of a domain. */
  readonly column?: string | null
}

/** Everything about the tables of a scope. */
export interface TableRows {
  readonly tables: readonly TableRow[]
  readonly columns: readonly ColumnRow[]
  readonly keys: readonly KeyRow[]
  readonly foreignKeys: readonly ForeignKeyRow[]
  readonly checks: readonly CheckRow[]
  /** Sizes, if known already. Default: none. */
  readonly sizes?: readonly SizeRow[]
  /** Warnings about unreadable and skipped parts. Default: none. */
  readonly warnings?: readonly Warning[]
}

/** The size of a table as the engine says it: numbers may be texts. Undefined and null are the same. */
export interface SizeRow extends TablePlace {
  readonly rows?: number | bigint | string | null | undefined
  readonly mostRows?: number | bigint | string | null | undefined
  readonly bytes?: number | bigint | string | null | undefined
  readonly version?: string | null | undefined
  /** The time of the last change: in milliseconds since 1970, or as a text with its zone; any other text tells none. */
  readonly changedAt?: number | bigint | string | null | undefined
}

/** One session with a database. Each member runs a fixed number of set-based queries. */
export interface Session {
  place(): Promise<Place>
  /** Only names, so that one table can be found without reading the columns of all. */
  names(schemas: readonly string[]): Promise<readonly TablePlace[]>
  read(scope: Scope): Promise<TableRows>
  /** Runs one statement of the caller in a read-only session. */
  query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Sizes of tables; those that it leaves out are not known. */
  sizes(scope: Required<Scope>, options: SizesOptions): Promise<readonly SizeRow[]>
  /** Ends the running statement, which then fails. Absent if statements block this process. */
  cancel?(): Promise<void>
}

/** An engine, as far as a catalog needs it. */
export interface Warehouse {
  readonly dialect: DialectName
  /** False where tables are described and no rows can be read. @default true */
  readonly hasRows?: boolean
  /** Its sessions report each statement themselves. Default: each of their members is reported as one. */
  readonly reportsStatements?: true
  /** Runs the work in a read-only session. */
  withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  /** Estimates the bytes that a statement would read, without running it. @default not known */
  readonly bytesRead?: ((statement: string, signal: AbortSignal) => Promise<number>) | undefined
  /** Ends all running statements. @default sessions end their own */
  readonly cancel?: () => void
  close(): Promise<void>
}
