import type { FoundCall, IndexedModel, Manifest, ProjectIndex } from '@stagecraft/dbt'
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

/** A dbt project as rules see it: read, but never run. */
export interface LintProject {
  readonly index: ProjectIndex
  /** The texts of all files that were read, by path. */
  readonly files: ReadonlyMap<string, SourceFile>
  readonly properties: readonly PropertiesFile[]
  readonly graph: Graph
  /** References in SQL and Python, by file. */
  readonly references: ReadonlyMap<string, readonly PlacedReference[]>
  /** All calls in templates of SQL, by file. */
  readonly calls: ReadonlyMap<string, readonly FoundCall[]>
  /** References in YAML. */
  readonly propertyReferences: readonly PlacedReference[]
  /** Returns the configuration of a model, as far as files show it. */
  readonly configOf: (model: IndexedModel, key: string) => Configured
  /** The first entry of properties that describes a model, seed or snapshot. */
  readonly entryOf: (model: IndexedModel) => Entry | undefined
  readonly packages: InstalledPackages
  /** The dialect of its SQL. */
  readonly dialect: Dialect
  /** False if nothing names the dialect, so its SQL is read as the most common one. */
  readonly isDialectKnown: boolean
  readonly suppressions: readonly Suppression[]
  /** The parsed SQL of models; only available if `has` says so. */
  readonly structure: SqlStructure
  /** The paths of models that Stagecraft generated, by its lock. */
  readonly generated: ReadonlySet<string>
  /** Raw tables; only available if `has` says so. */
  readonly raw: RawTables
  /** The manifest of dbt's last parse; undefined without one. */
  readonly manifest: Manifest | undefined
  /** The last result of `dbt source freshness`, by `source.table`. */
  readonly freshness: ReadonlyMap<string, FreshnessResult>
  /** The available inputs of rules. */
  readonly has: ReadonlySet<Need>
}

/** The installed packages of a project. */
export interface InstalledPackages {
  /** Required packages that are not installed, without packages of macros. */
  readonly missing: readonly string[]
  /** Names of models, seeds and snapshots in packages. */
  readonly models: ReadonlySet<string>
  /** The models, seeds and snapshots of each installed package, with their files. */
  readonly installed: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Names of docs blocks in packages. */
  readonly docs: ReadonlySet<string>
  /** Sources that packages declare, as `source.table`. */
  readonly hasSource: (source: string, table: string) => boolean
}
