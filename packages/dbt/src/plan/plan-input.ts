import type { EditedItem, RunSetup } from '@stagecraft/core/run'
import type { DialectName } from '@stagecraft/spec'
import type { Lock } from '../lock/lock.ts'
import type { Settlement } from '../merge/line-merge.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import type { ProjectView } from './project-view.ts'

/** The tables that were not selected. */
export interface TablesBeside {
  /** Tables that the lock lacks. */
  readonly items: readonly EditedItem[]
  /** Keys of the lock whose tables no longer exist. */
  readonly gone: readonly string[]
}

/** The input of a plan. */
export interface PlanInput {
  /** The current tables, each with its request. */
  readonly items: readonly EditedItem[]
  /** Keys of the lock whose requested tables no longer exist. @default none */
  readonly gone?: readonly string[]
  /** Keys of the lock that the configuration excludes; those that are to be removed are also in `gone`. @default none */
  readonly excluded?: readonly string[]
  /**
   * The rest of the schemas of those tables. It shows renames, and is planned only for those.
   * @default none
   */
  readonly beside?: TablesBeside
  readonly lock: Lock
  readonly project: ProjectView
  /** The settings of generation; declarations of the project are added to the configuration. */
  readonly setup: Omit<RunSetup, 'llm' | 'clock'> & { readonly dialect: DialectName }
  /** The syntax of the project's SQL. */
  readonly syntax: SqlSyntax
  /** Identifies the configuration. A table whose line in the lock has another value may be generated differently. */
  readonly settings: string
  /** The version of Stagecraft. */
  readonly generator: string
  /** Reads a file of the project; undefined when there is none. */
  readonly read: (path: string) => Promise<string | undefined>
  /** Reads a previously generated text by its SHA-256; undefined if it was not kept. */
  readonly readBase: (sha256: string) => Promise<string | undefined>
  /** The way to resolve conflicts. @default they stay, and nothing is written for their files */
  readonly settlement?: Settlement | undefined
  /** A person's files to adopt as they are. @default none */
  readonly adopt?: ReadonlySet<string>
  /** Removes columns, entries and files whose raw table or column was deleted. @default false */
  readonly prune?: boolean
  /** Tables whose models must not move or take another name, by key, each with the reason. @default none */
  readonly stuck?: ReadonlyMap<string, string>
  /** Keys of tables whose entries stay in their files. @default none */
  readonly pinned?: ReadonlySet<string>
}
