import type { EditedItem, RunSetup } from '@stagecraft/core/run'
import type { DialectName } from '@stagecraft/spec'
import type { Lock } from '../lock/lock.ts'
import type { Settlement } from '../merge/line-merge.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import type { ProjectView } from './project-view.ts'

/** The input of a plan. */
export interface PlanInput {
  /** The tables as they are now, each with its request. */
  readonly items: readonly EditedItem[]
  /** Keys of the lock whose tables were asked for and are no longer there. @default none */
  readonly gone?: readonly string[]
  readonly lock: Lock
  readonly project: ProjectView
  /** The settings of generation; declarations of the project are added to the configuration. */
  readonly setup: Omit<RunSetup, 'llm' | 'clock'> & { readonly dialect: DialectName }
  /** The syntax of the project's SQL. */
  readonly syntax: SqlSyntax
  /** Identifies the configuration: a table whose line in the lock has another one may be generated otherwise. */
  readonly settings: string
  /** The version of Stagecraft. */
  readonly generator: string
  /** Reads a file of the project; undefined when there is none. */
  readonly read: (path: string) => Promise<string | undefined>
  /** Reads a text that was generated before by its SHA-256; undefined when it was not kept. */
  readonly readBase: (sha256: string) => Promise<string | undefined>
  /** The way to settle conflicts. @default they stay, and nothing is written for their files */
  readonly settlement?: Settlement | undefined
  /** Files that a person wrote or changed, and that count as they stand from now on. @default none */
  readonly adopt?: ReadonlySet<string>
  /** Removes columns, entries and files whose origin is gone. @default false */
  readonly prune?: boolean
  /** Keys of tables whose models stay where they are though they would move. @default none */
  readonly stuck?: ReadonlySet<string>
}
