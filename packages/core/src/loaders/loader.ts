import type { Conversion } from '@stagecraft/spec'

/**
 * The traces of a loading tool (EL, CDC, event collector) in the tables it fills, as data. To add one, copy
 * the file of a near relative, fill in what the tool's documentation says, name the pages, and add it to
 * `index.ts`. Column names are in lower case and match in any case.
 */
export interface LoaderPack {
  /** As options and the command line name it: `fivetran`. */
  readonly name: string
  /** The display name; written into `loader:` of the source. Absent if the columns identify no product. */
  readonly title?: string
  /** The pages that the facts come from. */
  readonly pages: readonly string[]

  /** Recognized by its columns: all of `all` must be present, and one of `any` if given. */
  readonly signs: {
    readonly all?: readonly string[]
    readonly any?: readonly (string | RegExp)[]
  }

  /** The tool's own columns, with their descriptions. */
  readonly columns: Readonly<Record<string, string>>
  /** More columns of the tool, by pattern. */
  readonly patterns?: readonly RegExp[]

  /** The columns with a row's arrival time, best first; `as` says how to read one that is not a timestamp. */
  readonly loaded: readonly { readonly column: string; readonly as?: Conversion }[]

  /** The marks of a row deleted in the source system; the first column present counts. */
  readonly deleted: readonly DeletedMark[]

  /** `append` keeps every version of a row, `merge` one row per key. */
  readonly loadMode: 'append' | 'merge'

  /** Sorts the version to keep first; missing columns are skipped. */
  readonly versions: readonly { readonly column: string; readonly order: 'asc' | 'desc' }[]

  /** Identifies the subject of a row if the table declares no key; versions of one subject share it. */
  readonly key?: string
  /** Identifies a stored row when the table has no key of its own. */
  readonly rowKey?: string
  /** Internal tables of the tool; they are only staged if requested by name. */
  readonly systemTables?: RegExp
  /** Part of the key, because the tool keeps every version of a row on purpose (history mode). */
  readonly historyKey?: string
}

export interface DeletedMark {
  readonly column: string
  /** `flag`: true when deleted; `time`: not null when deleted; otherwise the values that mean deleted. */
  readonly when: 'flag' | 'time' | readonly string[]
}
