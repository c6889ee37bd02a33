import type {
  ColumnValue,
  DialectName,
  SizesOptions,
  TableKind,
  TableStorage,
  Warning,
} from '@stagecraft/spec'

/** The place of a table in its database. */
export interface TablePlace {
  readonly schema: string
  readonly table: string
}

/** The description of a database. */
export interface Place {
  /** Undefined if the warehouse has no level above schemas. */
  readonly database: string | undefined
  /** The schema of tables that are named without a schema; undefined if there is none. */
  readonly defaultSchema: string | undefined
  /** True if the address names the default schema, so that only this schema is read by default. Default false. */
  readonly isOneSchema?: boolean
  readonly schemas: readonly {
    readonly name: string
    /** True for a part of the engine, which is read only if it is requested by name. */
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
  /** Default: unknown. */
  readonly storage?: TableStorage | undefined
}

/** One column. The rows of a table are in the order of its columns. */
export interface ColumnRow extends TablePlace {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly comment?: string | null
  readonly default?: string | null
  /** The labels of an enum type. */
  readonly values?: readonly ColumnValue[] | null | undefined
  /** True if `select *` does not return it. */
  readonly hidden?: boolean
}

/** A key, with its columns in key order. */
export interface KeyRow extends TablePlace {
  readonly kind: 'primary' | 'unique'
  readonly columns: readonly string[]
}

export interface ForeignKeyRow extends TablePlace {
  readonly columns: readonly string[]
  readonly references: TablePlace & { readonly columns: readonly string[] }
}

/** A CHECK constraint of a column or of its type. */
export interface CheckRow extends TablePlace {
  readonly expression: string
  /** The column, if the expression calls it `VALUE`, as in the check of a domain. */
  readonly column?: string | null
}

/** All rows about the tables of a scope. */
export interface TableRows {
  readonly tables: readonly TableRow[]
  readonly columns: readonly ColumnRow[]
  readonly keys: readonly KeyRow[]
  readonly foreignKeys: readonly ForeignKeyRow[]
  readonly checks: readonly CheckRow[]
  /** Sizes that are already known. Default: none. */
  readonly sizes?: readonly SizeRow[]
  /** Warnings about parts that were unreadable or skipped. Default: none. */
  readonly warnings?: readonly Warning[]
}

/** The size of a table from the engine. Numbers may be text. Undefined and null mean the same. */
export interface SizeRow extends TablePlace {
  readonly rows?: number | bigint | string | null | undefined
  readonly mostRows?: number | bigint | string | null | undefined
  readonly bytes?: number | bigint | string | null | undefined
  readonly version?: string | null | undefined
  /** The time of the last change: in milliseconds since 1970, or as text with its zone. Other text is ignored. */
  readonly changedAt?: number | bigint | string | null | undefined
}

/** One session with a database. Each member runs a fixed number of set-based queries. */
export interface Session {
  place(): Promise<Place>
  /** Returns only names, so that one table can be found without reading the columns of all. */
  names(schemas: readonly string[]): Promise<readonly TablePlace[]>
  read(scope: Scope): Promise<TableRows>
  /** Runs one statement of the caller in the read-only session. */
  query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Returns the known sizes of tables. */
  sizes(scope: Required<Scope>, options: SizesOptions): Promise<readonly SizeRow[]>
  /** Cancels the running statement, which then fails. Absent if statements block this process. */
  cancel?(): Promise<void>
}

/** The parts of an engine that a catalog needs. */
export interface Warehouse {
  readonly dialect: DialectName
  /** False if it describes tables but cannot read rows. @default true */
  readonly hasRows?: boolean
  /** True if its sessions report each statement. Default: each call of a session is reported as one statement. */
  readonly reportsStatements?: true
  /** Runs the work in a read-only session. */
  withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  /** Estimates the bytes that a statement would read, without running it. Default: unknown. */
  readonly bytesRead?: ((statement: string, signal: AbortSignal) => Promise<number>) | undefined
  /** Cancels all running statements. Default: each session cancels its own. */
  readonly cancel?: () => void
  close(): Promise<void>
}
