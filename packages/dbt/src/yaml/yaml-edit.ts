/** Data of both YAML and JSON. */
export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue }

/** A mapping, such as an entry below `columns:`. */
export type YamlEntry = Readonly<Record<string, YamlValue>>

/** The lists of named things that have columns of their own. */
export type OwnerList = 'models' | 'seeds' | 'snapshots'

/** The owner of columns, tests and a description. */
export type YamlOwner =
  | {
      readonly list: OwnerList
      readonly name: string
      /** For a model with `versions:`, the version whose columns to edit. @default all versions */
      readonly version?: string | number
    }
  | {
      readonly list: 'sources'
      readonly name: string
      /** A table of the source. @default the source itself, which has no columns */
      readonly table?: string
    }

/** Adds an entry below `columns:`, which is created if missing. */
export interface AddColumn {
  readonly kind: 'add-column'
  readonly owner: YamlOwner
  /** The whole entry as dbt reads it: `{ name: 'order_id', description: '…', data_tests: ['unique'] }`. */
  readonly column: YamlEntry & { readonly name: string }
  /** The column before it. @default the last one, also if that column is missing */
  readonly after?: string
}

/** Removes an entry below `columns:`, and `columns:` with the last one. */
export interface RemoveColumn {
  readonly kind: 'remove-column'
  readonly owner: YamlOwner
  readonly column: string
  /** The entry as written; a different or commented one is a person's, and stays. @default any entry is removed */
  readonly expected?: YamlEntry
}

/**
 * Sets a property of an owner or a column: `description`, `data_type`, `name`, `loaded_at_field`, `config`. It must be
 * missing, empty, or equal to `replaces`.
 */
export interface SetProperty {
  readonly kind: 'set-property'
  readonly owner: YamlOwner
  /** @default the owner itself */
  readonly column?: string
  readonly key: string
  readonly value: string | number | boolean | YamlEntry
  /** The earlier value, which may be replaced. @default only empty values may be replaced */
  readonly replaces?: string | number | boolean
}

/** Removes a scalar property of an owner or a column, if it is unchanged. */
export interface RemoveProperty {
  readonly kind: 'remove-property'
  readonly owner: YamlOwner
  /** @default the owner itself */
  readonly column?: string
  readonly key: string
  /** The value as written; a different one is a person's, and stays. */
  readonly expected: string | number | boolean
}

/** Adds missing tests under the key that the entry uses. */
export interface AddTests {
  readonly kind: 'add-tests'
  readonly owner: YamlOwner
  /** @default the owner itself */
  readonly column?: string
  /** As dbt reads them: `'unique'`, `{ relationships: { arguments: { to, field } } }`. */
  readonly tests: readonly YamlValue[]
  /** The key to use if the entry has neither. @default `data_tests` */
  readonly key?: 'tests' | 'data_tests'
}

/** Removes unchanged tests; others of the same name are a person's. */
export interface RemoveTests {
  readonly kind: 'remove-tests'
  readonly owner: YamlOwner
  /** @default the owner itself */
  readonly column?: string
  readonly tests: readonly YamlValue[]
}

/** Adds a table to a declared source; in sorted order if the tables are sorted. */
export interface AddTable {
  readonly kind: 'add-table'
  readonly source: string
  readonly table: YamlEntry & { readonly name: string }
}

/** Adds a model, seed, snapshot or source to a file. Its list is created if missing. */
export interface AddEntry {
  readonly kind: 'add-entry'
  readonly list: OwnerList | 'sources'
  readonly entry: YamlEntry & { readonly name: string }
}

/** Removes a model, seed, snapshot, source or table with its whole entry. */
export interface RemoveEntry {
  readonly kind: 'remove-entry'
  readonly owner: YamlOwner
  /** The entry as written; a different or commented one is a person's, and stays. @default any entry is removed */
  readonly expected?: YamlEntry
  /**
   * For a table: its source as written, without tables. An unchanged source is removed with its last table. @default
   * the source stays, with an empty list
   */
  readonly ofSource?: YamlEntry
}

/** Sets a key of the map at a path, and creates missing maps on the way: `[sources, shop, tables, orders, key]`. */
export interface SetValue {
  readonly kind: 'set-value'
  /** Keys from the root of the file; lists are refused. */
  readonly path: readonly string[]
  /** An existing other value stays. */
  readonly value: YamlValue
}

/** One change to a file of properties, or of settings. */
export type YamlEdit =
  | AddColumn
  | RemoveColumn
  | SetProperty
  | RemoveProperty
  | AddTests
  | RemoveTests
  | AddTable
  | AddEntry
  | RemoveEntry
  | SetValue

/** The outcome of an edit. */
export type EditOutcome =
  /** The edit was applied. */
  | { readonly status: 'done' }
  /** The text already had it. */
  | { readonly status: 'unneeded' }
  /** A person wrote something else there, which stays. The other tests of the edit were added. */
  | ({ readonly status: 'kept' } & EditPlace)
  /** The text cannot be edited safely there; the edit was not applied. */
  | ({ readonly status: 'refused' } & EditPlace)

/** The place where an edit stopped, and the reason. */
export interface EditPlace {
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** The finding and the remedy, in lower case: `the list carries an anchor; edit it by hand`. */
  readonly reason: string
}

export interface YamlText {
  /** For messages. */
  readonly path: string
  /** The text with its byte order mark and line ends. */
  readonly text: string
}

export interface EditedYaml {
  /** The text with all applied edits; every other byte is unchanged. */
  readonly text: string
  /** One outcome per edit, in order. */
  readonly outcomes: readonly EditOutcome[]
}
