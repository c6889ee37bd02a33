import type { IndexedModel, Manifest, ProjectIndex } from '@stagecraft/dbt'
import type { Dialect } from '@stagecraft/dialects'
import type { Need } from '../vocabulary.ts'
import type { Suppression } from '../suppress/suppression.ts'
import type { SqlStructure } from '../structure/sql-structure.ts'
import type { FreshnessResult } from './freshness.ts'
import type { Graph } from './graph.ts'
import type { Configured } from './model-config.ts'
import type { Entry, PropertiesFile } from './properties-file.ts'
import type { RawTables } from './raw-tables.ts'
import type { PlacedReference } from './references.ts'
import type { SourceFile } from './source-file.ts'

/** A dbt project as rules see it: everything is read, and nothing of it was run. */
export interface LintProject {
  readonly index: ProjectIndex
  /** The texts of all files that were read, by path. */
  readonly files: ReadonlyMap<string, SourceFile>
  readonly properties: readonly PropertiesFile[]
  readonly graph: Graph
  /** References in SQL and Python, by file. */
  readonly references: ReadonlyMap<string, readonly PlacedReference[]>
  /** References in YAML. */
  readonly propertyReferences: readonly PlacedReference[]
  /** The configuration of a model, as far as files tell. */
  readonly configOf: (model: IndexedModel, key: string) => Configured
  /** The first entry of properties that describes a model, seed or snapshot. */
  readonly entryOf: (model: IndexedModel) => Entry | undefined
  readonly packages: InstalledPackages
  /** The dialect of its SQL. */
  readonly dialect: Dialect
  readonly suppressions: readonly Suppression[]
  /** The SQL of models, taken apart; nothing is known of it unless `has` says so. */
  readonly structure: SqlStructure
  /** The paths of models that Stagecraft generated, by its lock. */
  readonly generated: ReadonlySet<string>
  /** Raw tables; none is known unless `has` says so. */
  readonly raw: RawTables
  /** The record that dbt wrote when it last parsed the project; undefined when there is nothing. */
  readonly manifest: Manifest | undefined
  /** The outcome of `dbt source freshness`, found out last, by `source.table`. */
  readonly freshness: ReadonlyMap<string, FreshnessResult>
  /** The needs for which there is something. */
  readonly has: ReadonlySet<Need>
}

/** The packages of a project, as far as their files are there. */
export interface InstalledPackages {
  /** Those that the project asks for and whose files are not there, without those that have no models. */
  readonly missing: readonly string[]
  /** Names of models, seeds and snapshots in packages. */
  readonly models: ReadonlySet<string>
  /** Names of docs blocks in packages. */
  readonly docs: ReadonlySet<string>
  /** Sources that packages declare, as `source.table`. */
  readonly hasSource: (source: string, table: string) => boolean
}
