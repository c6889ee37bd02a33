import { StagecraftError } from '@stagecraft/spec'
import type { JinjaValue } from '../jinja/jinja-value.ts'
import type { ModelReference, SourceReference } from '../jinja/read-template.ts'
import type { StylePair } from './house-style.ts'
import type { ColumnFacts } from './properties-facts.ts'
import type { ProjectSettings } from './settings.ts'

/** A place in the project. */
export interface FilePlace {
  /** Relative to the project. */
  readonly path: string
  /** 1-based. */
  readonly line: number
}

/** The properties of a model, seed, snapshot or table. */
export interface Documented extends FilePlace {
  readonly description: string | undefined
  readonly columns: readonly ColumnFacts[]
}

/** A table that a source declares. */
export interface IndexedTable extends Documented {
  /** The name in `source('shop', 'orders')`. */
  readonly name: string
  /** The name in the warehouse. */
  readonly identifier: string
}

/** A source as one file declares it; another file may declare more tables of it. */
export interface IndexedSource extends FilePlace {
  readonly name: string
  readonly description: string | undefined
  /** Undefined if the file has none, or if its Jinja cannot be rendered here. */
  readonly database: string | undefined
  /** Undefined if unknown. The name of the source if the file has no schema. */
  readonly schema: string | undefined
  /** The text of the file if `schema` or `database` is unknown: `{{ var('raw') }}`. */
  readonly written: { readonly database: string | undefined; readonly schema: string | undefined }
  readonly tables: readonly IndexedTable[]
}

/** A model, seed or snapshot. */
export interface IndexedModel {
  readonly kind: 'model' | 'seed' | 'snapshot'
  /** The name in `ref('orders')`. */
  readonly name: string
  /** Of a model with several versions. */
  readonly version: string | undefined
  /** The file, relative to the project. */
  readonly path: string
  /** Sources that it reads, through macros of the project too. */
  readonly reads: readonly SourceReference[]
  /** Models that it reads, through macros of the project too. */
  readonly models: readonly ModelReference[]
  /** True if it may read more, because an argument of a `ref` or `source` is computed when dbt runs. */
  readonly isDynamic: boolean
  /** The values that `config(…)` in the file sets; undefined for a computed value. */
  readonly config: Readonly<Record<string, JinjaValue | undefined>>
  /** True if its contract is enforced: dbt then needs the type of every column. @default false */
  readonly hasContract?: boolean
  /** The relation of a snapshot that YAML defines, as written: `ref('orders')`. @default its SQL says what it reads */
  readonly relation?: string
  /** The file that describes it; undefined without one. */
  readonly propertiesPath: string | undefined
  readonly documented: Documented | undefined
}

/**
 * A part of the project that reads models but is not one: a test, an analysis, an exposure, an entry with tests of
 * references.
 */
export interface IndexedReader extends FilePlace {
  /** The name of the entry of properties; undefined for a file of SQL. */
  readonly owner?: string
  readonly models: readonly { readonly model: string }[]
  readonly reads: readonly { readonly source: string; readonly table: string }[]
}

/** A macro or a docs block. */
export interface IndexedBlock extends FilePlace {
  readonly name: string
}

/** The names and descriptions of columns in one file. */
export interface StyleExample {
  readonly path: string
  /** SHA-256 of the file. */
  readonly hash: string
  readonly renames: readonly StylePair[]
  readonly descriptions: readonly StylePair[]
}

/** An error in the project that dbt refuses. */
export interface ProjectProblem extends FilePlace {
  readonly reason: string
}

/** Converts the error of an unreadable file to a fault; rethrows other errors. */
export function faultOf(error: unknown): Pick<ProjectProblem, 'line' | 'reason'> {
  if (!(error instanceof StagecraftError)) throw error
  const [fault] = error.details?.faults ?? []
  const isPlaced = fault !== undefined && error.message.startsWith(fault.path)
  const reason = isPlaced ? error.message.slice(fault.path.length).replace(/^(?::\d+)?: /, '') : error.message
  return { line: fault?.line ?? 1, reason }
}

/** The content of a dbt project, in the order of paths and lines. */
export interface ProjectIndex {
  readonly settings: ProjectSettings
  readonly models: readonly IndexedModel[]
  readonly sources: readonly IndexedSource[]
  /** The entries of models, seeds and snapshots in files of properties, even if nothing has their names. */
  readonly entries: readonly { readonly name: string; readonly path: string }[]
  readonly readers: readonly IndexedReader[]
  readonly macros: readonly IndexedBlock[]
  readonly docs: readonly IndexedBlock[]
  /** Names of installed packages: `dbt_utils`. */
  readonly packages: readonly string[]
  /** Unreadable files and folders, and properties files with invalid YAML, whose content is unknown. */
  readonly faults: readonly ProjectProblem[]
  /** Sources that are declared twice. */
  readonly twins: readonly ProjectProblem[]
  /** Files with names and descriptions of columns by people. */
  readonly examples: readonly StyleExample[]
  /** The number of files that were read. */
  readonly fileCount: number
}
