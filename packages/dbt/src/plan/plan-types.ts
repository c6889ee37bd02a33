import type { Warning } from '@stagecraft/spec'
import type { Lock } from '../lock/lock.ts'
import type { MergeConflict } from '../merge/merge-sql.ts'
import type { EditPlace } from '../yaml/yaml-edit.ts'
import type { HandEdit } from './hand-edits.ts'
import type { OtherDeclaration, ReadingPlace } from './project-view.ts'
import type { Drift } from './table-drift.ts'

/** The actions of a plan on a file, with their meaning. */
export const FILE_ACTIONS = {
  create: 'the file does not exist yet',
  update: 'it is unchanged since it was generated, and its generated text is new',
  merge: 'a person changed it, and the generated changes are merged in',
  unchanged: 'it is up to date',
  conflict: 'a person and the generator changed the same lines, or the file cannot be edited safely',
  foreign: 'a person wrote it, so it is left alone',
  orphan: 'its table no longer exists',
} as const

export type FileAction = keyof typeof FILE_ACTIONS

/** The reason for a conflict: a part that both sides changed, or a place in YAML that cannot be edited. */
export type FileConflict =
  | MergeConflict
  | ({ readonly kind: 'yaml' } & EditPlace)
  /** The file still has the markers of an earlier conflict, first at `line`. Properties may need the entries of both sides. */
  | {
      readonly kind: 'markers'
      readonly line: number
      readonly keep: 'one side' | 'the entries of both sides'
    }
  /** Another model has the name, at `path`. */
  | { readonly kind: 'name'; readonly model: string; readonly path: string }
  /** The file at `path` declares the source table as another table of the warehouse. */
  | ({ readonly kind: 'source' } & OtherDeclaration)

/** The change of one file in a plan. */
export interface PlannedFile {
  /** Relative to the folder of the dbt project, with `/` between folders. */
  readonly path: string
  readonly action: FileAction
  /** The present text of the file; undefined if it does not exist. */
  readonly before: string | undefined
  /** The text after the plan; undefined if the file is removed. Equal to `before` for unchanged files. */
  readonly after: string | undefined
  /** The merged text of a file in conflict, with both sides of conflicts between git's markers. */
  readonly marked?: string
  /** The models and tables (`shop.orders`) of the file. */
  readonly covers: readonly string[]
  readonly conflicts: readonly FileConflict[]
  /** Files of other models that keep a model from being removed. @default none */
  readonly readers?: readonly string[]
  /** Notes for a person, in lower case: `edited by hand, so it is not removed`. */
  readonly notes: readonly string[]
  /** Entries of YAML that a person changed since they were generated. @default none */
  readonly edited?: readonly HandEdit[]
}

/** Something that is deleted or would be pruned, and the places that still read it. dbt fails on them. */
export interface StillRead {
  readonly code: 'MODEL_STILL_READ' | 'SOURCE_STILL_READ' | 'COLUMN_STILL_READ' | 'COLUMN_GONE'
  readonly message: string
  readonly places: readonly ReadingPlace[]
}

/** A table of the plan. */
export interface PlannedTable {
  /** The source name: `raw.shop.orders`. */
  readonly source: string
  readonly model: string
  /** `new` has no line in the lock yet; `gone` no longer exists in the warehouse. */
  readonly state: 'new' | 'known' | 'gone'
  readonly drifts: readonly Drift[]
  /** Its names in dbt, which no file declares, and the places that read them. dbt fails on them. */
  readonly undeclared?: {
    readonly source: string
    readonly table: string
    readonly places: readonly ReadingPlace[]
  }
}

/** A table that has a model, and that the configuration excludes. */
export interface ExcludedTable {
  /** The source name: `raw.shop.orders`. */
  readonly source: string
  readonly model: string
  /** The file of the model. */
  readonly path: string
}

/** The changes of files. To apply a plan, write `after` where it differs from `before`, then the lock. */
export interface ProjectPlan {
  /** Sorted by path. */
  readonly files: readonly PlannedFile[]
  /** Ordered by name. */
  readonly tables: readonly PlannedTable[]
  /** Tables that are not followed, because the configuration excludes them. Ordered by name. @default none */
  readonly excluded?: readonly ExcludedTable[]
  /** The lock after applying the whole plan. */
  readonly lock: Lock
  /** Generated texts, to recognize a person's changes later. */
  readonly generated: readonly string[]
  /** Models of the requested tables, with warnings and notes. */
  readonly models: readonly { readonly name: string; readonly warnings: readonly Warning[] }[]
  /** Deleted things that the project still reads; each has a warning. */
  readonly stillRead: readonly StillRead[]
  /** Warnings about the run as a whole. */
  readonly warnings: readonly Warning[]
}
