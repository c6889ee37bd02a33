/** Data as YAML and JSON both have it. */
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
      /** Of a model with `versions:`: edits concern the columns of that version. @default those of all versions */
      readonly version?: string | number
    }
  | {
      readonly list: 'sources'
      readonly name: string
      /** A table of the source. @default the source itself, which has no columns */
      readonly table?: string
    }

/** Adds an entry below `columns:`, which is made when it is not there. */
export interface AddColumn {
  readonly kind: 'add-column'
  readonly owner: YamlOwner
  /** The whole entry as dbt reads it: `{ name: 'order_id', description: '…', data_tests: ['unique'] }`. */
  readonly column: YamlEntry & { readonly name: string }
  /** The column that it goes behind. @default the last one, also when that column is not there */
  readonly after?: string
}

/** Removes an entry below `columns:`, and `columns:` with the last one. */
export interface RemoveColumn {
  readonly kind: 'remove-column'
  readonly owner: YamlOwner
  readonly column: string
  /** The entry as it was written; another one is a person's, and is kept. @default any entry is removed */
  readonly expected?: YamlEntry
}

/**
 * Gives an owner or a column a property of one value: `description`, `data_type`, `name`, `loaded_at_field`. Only where
 * there is none, an empty one, or the one of `replaces`.
 */
export interface SetProperty {
  readonly kind: 'set-property'
  readonly owner: YamlOwner
  /** @default the owner itself */
  readonly column?: string
  readonly key: string
  readonly value: string | number | boolean
  /** The value that was written before, which may be replaced. @default only what is empty may be */
  readonly replaces?: string | number | boolean
}

/** Takes a property of one value from an owner or a column, if it is as it was written. */
export interface RemoveProperty {
  readonly kind: 'remove-property'
  readonly owner: YamlOwner
  /** @default the owner itself */
  readonly column?: string
  readonly key: string
  /** The value that was written; another one is a person's, and is kept. */
  readonly expected: string | number | boolean
}

/** Adds those tests that are not there yet, under the key that the entry has. */
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

/** Removes the tests that are there as they were written; others of the same name are a person's. */
export interface RemoveTests {
  readonly kind: 'remove-tests'
  readonly owner: YamlOwner
  /** @default the owner itself */
  readonly column?: string
  readonly tests: readonly YamlValue[]
}

/** Adds a table to a source that the file declares; in its place where the tables stand in the order of their names. */
export interface AddTable {
  readonly kind: 'add-table'
  readonly source: string
  readonly table: YamlEntry & { readonly name: string }
}

/** Adds a model, seed, snapshot or source to a file. Its list is made when it is not there. */
export interface AddEntry {
  readonly kind: 'add-entry'
  readonly list: OwnerList | 'sources'
  readonly entry: YamlEntry & { readonly name: string }
}

/** Removes a model, seed, snapshot, source or table with all that is said about it. */
export interface RemoveEntry {
  readonly kind: 'remove-entry'
  readonly owner: YamlOwner
  /** The entry as it was written; another one is a person's, and is kept. @default any entry is removed */
  readonly expected?: YamlEntry
  /**
   * Of a table: its source as it was written, without tables. With its last table goes the source, if nobody wrote more about
   * it. @default the source stays, with an empty list
   */
  readonly ofSource?: YamlEntry
}

/** Gives the map at a path a key, with the maps on the way there: `[sources, shop, tables, orders, key]`. */
export interface SetValue {
  readonly kind: 'set-value'
  /** Keys from the root of the file; a list on the way is refused. */
  readonly path: readonly string[]
  /** Another value that is in the file is kept. */
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
  /** The text has it now. */
  | { readonly status: 'done' }
  /** The text had it before. */
  | { readonly status: 'unneeded' }
  /** A person wrote something else there, which stays. Those of several tests that stand for nothing else were added. */
  | ({ readonly status: 'kept' } & EditPlace)
  /** The text cannot be edited there without harm; nothing of this edit was done. */
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
  /** With byte order mark and line ends as they are. */
  readonly text: string
}

export interface EditedYaml {
  /** The text with all edits that could be done; every byte that none of them is about is as it was. */
  readonly text: string
  /** One for each edit, in their order. */
  readonly outcomes: readonly EditOutcome[]
}
