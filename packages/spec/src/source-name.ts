/** One part of a dotted name, without its quotes. */
export interface NamePart {
  readonly text: string
  /** True if it was quoted, so that its spelling is exact. An unquoted part is folded by the dialect. */
  readonly quoted: boolean
}

/** A parsed source name: `raw.stripe.payments` is the table `payments` in `stripe` in `raw`. */
export interface SourceName {
  readonly table: NamePart
  readonly schema?: NamePart
  readonly database?: NamePart
}

/** Selects the tables to read: all of a catalog, all of a schema, or the named ones. */
export interface TableSelector {
  readonly database?: NamePart
  readonly schema?: NamePart
  /** Absent means every table of the schema. */
  readonly tables?: readonly NamePart[]
}
