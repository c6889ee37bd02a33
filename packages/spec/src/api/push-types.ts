// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type { JobState } from './fields.ts'
import type { JobFailure } from './types.ts'

/** A file of the commit. */
export interface PushedFile {
  /** The path in the repository. */
  path: string
  /** The change that the commit makes. */
  change: 'added' | 'changed'
  /** The number of its lines. */
  lines: number
}

/** A file of an earlier push that was kept though its unit is gone. */
export interface KeptFile {
  /** The path in the repository. */
  path: string
  /** The reason why it was kept. */
  reason: 'changed' | 'needed'
}

/** A model, source table or property that was left out of the push. */
export interface SkippedPart {
  /** The file that it was left out of. */
  path: string
  /** The name of the model, source table or property. */
  name: string
  /** The file of the branch that defines it. */
  definedIn: string
  /** The decision about that definition. */
  outcome: 'used' | 'refused'
}

/** A file that stays as it is, because a person changed it too. */
export interface FileConflict {
  /** The path in the repository. */
  path: string
  /** The conflicts, for people. */
  reasons: string[]
}

/** A file of a plan. */
export interface PlannedFile {
  /** Relative to the repository. */
  path: string
  /**
   * `update`: the file has not been edited since it was generated. `merge`: a person edited it, and the new
   * text is merged. `conflict`: both changed the same part; the file stays. `foreign`: a person wrote the
   * file; it stays. `orphan`: its unit is gone; it is removed if `changes` is true.
   */
  action: 'create' | 'update' | 'merge' | 'unchanged' | 'conflict' | 'foreign' | 'orphan'
  /** True if the commit changes the file. */
  changes: boolean
  /** The models and source tables in the file. */
  covers: string[]
  /** The conflicts, for people. */
  conflicts: string[]
  /** Notes for people: `edited by hand, so it is not removed`. */
  notes: string[]
  /** A unified diff, of at most 20,000 characters; 400,000 for all files together. */
  diff?: string | undefined
  /** True if the diff was cut. */
  isDiffCut?: boolean | undefined
}

/** A table of a plan. */
export interface PlannedTable {
  /** The dotted name of the source table. */
  source: string
  /** The name of its model. */
  model: string
  /** `new`: first generated now. `gone`: no longer in the catalog. */
  state: 'new' | 'known' | 'gone'
  /** Changes since the last generation. */
  drifts: {
    /** The kind of change. */
    kind: 'added' | 'removed' | 'renamed' | 'retyped' | 'nullability' | 'comment' | 'values' | 'key'
    /** The column, unless the table itself changed. */
    column?: string | undefined
    /** The value at the last generation. */
    before?: string | undefined
    /** The value now. */
    after?: string | undefined
  }[]
}

/** The changes of a push, file by file. */
export interface PushPlan {
  /**
   * The folder of the dbt project in the repository, empty for its root. Absent if the branch has no dbt
   * project; files are then written as generated.
   */
  folder?: string | undefined
  /** The number of files for each action. */
  counts: {
    /** New files. */
    create: number
    /** Files with new text and no edits by people. */
    update: number
    /** Files that a person edited, merged with the new text. */
    merge: number
    /** Files to remove. */
    remove: number
    /** Files in which a person and generation changed the same part. */
    conflict: number
    /** Files that a person wrote. */
    foreign: number
    /** Files that do not change. */
    unchanged: number
  }
  /** The files; those that change or need attention come first; at most 1,000. */
  files: PlannedFile[]
  /** The number of files beyond those listed. */
  unlisted?: number | undefined
  /** Tables that are new, gone, or changed since the last generation; at most 1,000. */
  tables: PlannedTable[]
  /** Points that need attention. */
  warnings: {
    /** The kind of warning, for programs. */
    code: string
    /** The reason, for people. */
    message: string
  }[]
}

/** A push with its plan. */
export interface PlannedPushResource {
  /** The id of a push. */
  id: string
  /** The branch that the files are pushed to. */
  branch: string
  /** The message of the commit. */
  message: string
  /** The units to push. Default: all. */
  unitIds?: string[] | undefined
  /** The analysis whose findings it fixes, in place of units. */
  analysisId?: string | undefined
  /** True if it replaces files that someone else has changed since the last push. */
  overwrite: boolean
  /** True if it only plans: nothing is committed, and there is no event. */
  dryRun: boolean
  /** `queued` and `running` jobs change automatically; all other states are final. */
  state: JobState
  /** Present if it failed. */
  error?: JobFailure | undefined
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  startedAt?: string | undefined
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
  /** `unchanged`: the branch was already up to date, so there is no new commit. `planned`: a dry run. */
  outcome?: 'pushed' | 'unchanged' | 'planned' | undefined
  /** The commit of the push, or the head of an unchanged branch. */
  commit?: string | undefined
  /** The files of the commit. */
  files?: PushedFile[] | undefined
  /** Paths of files of earlier pushes that were removed from the branch, because their unit is gone. */
  removed?: string[] | undefined
  /**
   * Files of earlier pushes that were kept although their unit is gone: `changed` by someone else, or
   * `needed` by other files of the branch.
   */
  kept?: KeptFile[] | undefined
  /**
   * Models, source tables and properties that were left out, because another file of the branch defines them.
   * `used`: the pushed models use that definition. `refused`: it is a different model, or a table in another
   * place, so the model was not pushed.
   */
  skipped?: SkippedPart[] | undefined
  /**
   * Files of a dbt project in which a person and generation changed the same part, or that cannot be edited.
   * They do not change; the rest is pushed.
   */
  conflicts?: FileConflict[] | undefined
  /** The changes of the push, file by file. Present once they are known. */
  plan?: PushPlan | undefined
}

/** A push of generated files to a Git repository. */
export interface PushResource {
  /** The id of a push. */
  id: string
  /** The branch that the files are pushed to. */
  branch: string
  /** The message of the commit. */
  message: string
  /** The units to push. Default: all. */
  unitIds?: string[] | undefined
  /** The analysis whose findings it fixes, in place of units. */
  analysisId?: string | undefined
  /** True if it replaces files that someone else has changed since the last push. */
  overwrite: boolean
  /** True if it only plans: nothing is committed, and there is no event. */
  dryRun: boolean
  /** `queued` and `running` jobs change automatically; all other states are final. */
  state: JobState
  /** Present if it failed. */
  error?: JobFailure | undefined
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  startedAt?: string | undefined
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
  /** `unchanged`: the branch was already up to date, so there is no new commit. `planned`: a dry run. */
  outcome?: 'pushed' | 'unchanged' | 'planned' | undefined
  /** The commit of the push, or the head of an unchanged branch. */
  commit?: string | undefined
  /** The files of the commit. */
  files?: PushedFile[] | undefined
  /** Paths of files of earlier pushes that were removed from the branch, because their unit is gone. */
  removed?: string[] | undefined
  /**
   * Files of earlier pushes that were kept although their unit is gone: `changed` by someone else, or
   * `needed` by other files of the branch.
   */
  kept?: KeptFile[] | undefined
  /**
   * Models, source tables and properties that were left out, because another file of the branch defines them.
   * `used`: the pushed models use that definition. `refused`: it is a different model, or a table in another
   * place, so the model was not pushed.
   */
  skipped?: SkippedPart[] | undefined
  /**
   * Files of a dbt project in which a person and generation changed the same part, or that cannot be edited.
   * They do not change; the rest is pushed.
   */
  conflicts?: FileConflict[] | undefined
}
