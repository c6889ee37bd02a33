import { StagecraftError } from '@stagecraft/spec'
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
  /** Undefined when it is not known, for Jinja that depends on what is not known here, and where the file has none. */
  readonly database: string | undefined
  /** Undefined when it is not known. The name of the source where the file has no schema. */
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
  /**
   * True if it may read more than is known, because an argument of a `ref` or `source` is computed when dbt
   * runs.
   */
  readonly isDynamic: boolean
  /** The values that `config(…)` in the file sets; undefined for a computed value. */
  readonly config: Readonly<Record<string, string | number | boolean | null | undefined>>
  /** The file that describes it; undefined when none does. */
  readonly propertiesPath: string | undefined
  readonly documented: Documented | undefined
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

/** Something in the project that dbt refuses. */
export interface ProjectProblem extends FilePlace {
  readonly reason: string
}

/** Returns what is wrong with a file; throws what is no fault of one. */
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
  readonly macros: readonly IndexedBlock[]
  readonly docs: readonly IndexedBlock[]
  /** Names of installed packages: `dbt_utils`. */
  readonly packages: readonly string[]
  /** Files and folders that cannot be read, and files of properties that are not valid YAML; what they say is not known. */
  readonly faults: readonly ProjectProblem[]
  /** Sources that are declared twice. */
  readonly twins: readonly ProjectProblem[]
  /** Files that show how the people of the project name and describe columns. */
  readonly examples: readonly StyleExample[]
  /** The number of files that were read. */
  readonly fileCount: number
}
