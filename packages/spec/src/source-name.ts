/** One part of a dotted name, without its quotes. */
export interface NamePart {
  readonly text: string
  /** Written in quotes, so that its spelling is exact; an unquoted part folds as the dialect folds. */
  readonly quoted: boolean
}

/** A parsed source name: `raw.stripe.payments` has the table `payments` in `stripe` in `raw`. */
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
