// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type { JobState } from './fields.ts'
import type { JobFailure } from './types.ts'

/** The progress of a running analysis. */
export interface AnalysisProgress {
  /** The current step. */
  step: 'reading' | 'checking' | 'storing'
}

/** The result of an analysis in numbers. */
export interface AnalysisScore {
  /** The percentage of files without findings. */
  total: number
  /** The same for each group of rules. */
  groups: Record<string, number>
}

/** Numbers of findings. */
export interface FindingCounts {
  /** Errors. */
  error: number
  /** Warnings. */
  warning: number
  /** Notes. */
  info: number
  /** Findings that the previous analysis did not have. */
  new: number
  /** Findings that it also had. */
  unchanged: number
  /** Findings that only the previous analysis had. */
  fixed: number
}

/** The fix of a finding. */
export interface FindingFix {
  /** `unsafe` fixes need a review by a person. */
  safety: 'safe' | 'unsafe'
  /** A summary of the fix. */
  summary: string
}

/** Things that a rule could not check, for one reason. */
export interface NotChecked {
  /** The id of the rule. */
  rule: string
  /** The reason why it could not check them. */
  reason: string
  /** The number of models, sources or files. */
  subjects: number
  /** The first five of them. */
  names: string[]
}

/** A check of a dbt project by rules. */
export interface AnalysisResource {
  /** The id of an analysis. */
  id: string
  /** The place that the project was read from. */
  origin: 'repository' | 'archive'
  /**
   * The branch to read. Default: the branch of the project, otherwise the default branch of its repository.
   */
  branch?: string | undefined
  /** The folder of `dbt_project.yml`; `.` is the root. Default: the only `dbt_project.yml`. */
  path?: string | undefined
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
  /** The progress of a running analysis. */
  progress?: AnalysisProgress | undefined
  /** The commit that was read. */
  commit?: string | undefined
  /** The folder of the dbt project; empty for the root. */
  folder?: string | undefined
  /** The number of files that were read. */
  files?: number | undefined
  /** The number of models, seeds and snapshots. */
  models?: number | undefined
  /** The score. An error costs a whole file, a warning half of it, an info a tenth. */
  score?: AnalysisScore | undefined
  /** The numbers of findings; present once it is completed. Fixed findings do not count for any severity. */
  findings?: FindingCounts | undefined
  /** Findings beyond the 10,000 that are kept. */
  unlisted?: number | undefined
  /** Findings that are suppressed in the project. */
  suppressed?: number | undefined
  /** Things that rules could not check. */
  unchecked?: number | undefined
}

/** An analysis with what was not checked. */
export interface AnalysisDetail {
  /** The id of an analysis. */
  id: string
  /** The place that the project was read from. */
  origin: 'repository' | 'archive'
  /**
   * The branch to read. Default: the branch of the project, otherwise the default branch of its repository.
   */
  branch?: string | undefined
  /** The folder of `dbt_project.yml`; `.` is the root. Default: the only `dbt_project.yml`. */
  path?: string | undefined
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
  /** The progress of a running analysis. */
  progress?: AnalysisProgress | undefined
  /** The commit that was read. */
  commit?: string | undefined
  /** The folder of the dbt project; empty for the root. */
  folder?: string | undefined
  /** The number of files that were read. */
  files?: number | undefined
  /** The number of models, seeds and snapshots. */
  models?: number | undefined
  /** The score. An error costs a whole file, a warning half of it, an info a tenth. */
  score?: AnalysisScore | undefined
  /** The numbers of findings; present once it is completed. Fixed findings do not count for any severity. */
  findings?: FindingCounts | undefined
  /** Findings beyond the 10,000 that are kept. */
  unlisted?: number | undefined
  /** Findings that are suppressed in the project. */
  suppressed?: number | undefined
  /** Things that rules could not check. */
  unchecked?: number | undefined
  /** Things that rules could not check, by rule and reason; at most 200. */
  notChecked?: NotChecked[] | undefined
}

/** A finding of an analysis. */
export interface FindingResource {
  /** The id of the rule: `SC308`. */
  rule: string
  /** Its name: `missing-reference`. */
  name: string
  /** Its group: `properties`. */
  group: string
  /** The severity of the finding. */
  severity: 'error' | 'warning' | 'info'
  /** The state compared with the previous analysis of the same branch, or of the previous archive. */
  state: 'new' | 'unchanged' | 'fixed'
  /** The problem. */
  message: string
  /** The remedy. */
  help: string
  /** Relative to the dbt project. */
  path: string
  /** The position of the first character. */
  start: {
    /** From 1. */
    line: number
    /** From 1, in UTF-16 units. */
    column: number
  }
  /** The position after the last character. */
  end: {
    /** From 1. */
    line: number
    /** From 1, in UTF-16 units. */
    column: number
  }
  /** The line of `start`, of at most 400 characters. */
  text: string
  /** The subject of the finding. */
  subject: {
    /** `model`, `source`, `file` and so on. */
    kind: string
    /** Its name. */
    name: string
    /** A column, or a reference. */
    detail?: string | undefined
  }
  /** Present if `stagecraft lint --fix` can fix it. */
  fix?: FindingFix | undefined
  /** Stays the same when lines move and files are renamed. */
  fingerprint: string
}
