import type { Warning } from '@stagecraft/spec'
import type { Lock } from '../lock/lock.ts'
import type { MergeConflict } from '../merge/merge-sql.ts'
import type { EditPlace } from '../yaml/yaml-edit.ts'
import type { Drift } from './table-drift.ts'

/** The actions of a plan on a file, with their meaning. */
export const FILE_ACTIONS = {
  create: 'there is no such file yet',
  update: 'nobody has changed it since it was generated, and its generated text is new',
  merge: 'a person changed it, and the changes of generation are brought in',
  unchanged: 'it is as it should be',
  conflict: 'a person and generation changed the same, or the file cannot be edited safely',
  foreign: 'a person wrote it, so that it is left alone',
  orphan: 'what it was generated from is gone',
} as const

export type FileAction = keyof typeof FILE_ACTIONS

/** The reason of a conflict in a file: what both changed, or a place in YAML that cannot be edited. */
export type FileConflict =
  | MergeConflict
  | ({ readonly kind: 'yaml' } & EditPlace)
  /** The name of the model is that of another one, which lies at `path`. */
  | { readonly kind: 'name'; readonly model: string; readonly path: string }

/** The change of one file in a plan. */
export interface PlannedFile {
  /** Relative to the folder of the dbt project, with `/` between folders. */
  readonly path: string
  readonly action: FileAction
  /** The text as it is in the file; undefined when there is none. */
  readonly before: string | undefined
  /** The text after the plan; undefined when there is none then. The same as `before` for what is left alone. */
  readonly after: string | undefined
  /** The text of a file in conflict with what can be merged, and both sides of the rest between git's markers. */
  readonly marked?: string
  /** Models and tables (`shop.orders`) that it concerns. */
  readonly covers: readonly string[]
  readonly conflicts: readonly FileConflict[]
  /** Files of other models that keep a model from being removed. @default none does */
  readonly readers?: readonly string[]
  /** Notes for a person, in lower case: `edited by hand, so it is not removed`. */
  readonly notes: readonly string[]
}

/** A table that the plan is about. */
export interface PlannedTable {
  /** The source name: `raw.shop.orders`. */
  readonly source: string
  readonly model: string
  /** `new` has no line in the lock yet, `gone` is no longer in the warehouse. */
  readonly state: 'new' | 'known' | 'gone'
  readonly drifts: readonly Drift[]
}

/** The changes, file by file. Applying it is writing `after` where it differs from `before`, and the lock. */
export interface ProjectPlan {
  /** Sorted by path. */
  readonly files: readonly PlannedFile[]
  /** In the order of their names. */
  readonly tables: readonly PlannedTable[]
  /** The lock when all of the plan is applied. */
  readonly lock: Lock
  /** Texts that were generated, so that later changes can be told from a person's. */
  readonly generated: readonly string[]
  /** Models of the tables that were asked for, with what to know of each. */
  readonly models: readonly { readonly name: string; readonly warnings: readonly Warning[] }[]
  /** About the run as a whole. */
  readonly warnings: readonly Warning[]
}
