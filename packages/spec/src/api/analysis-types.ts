// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type { JobState } from './fields.ts'
import type { JobFailure } from './types.ts'

/** The progress of a running analysis. */
export interface AnalysisProgress {
  /** The work that is under way. */
  step: 'reading' | 'checking' | 'storing'
}

/** The result of an analysis in numbers. */
export interface AnalysisScore {
  /** The share of files without findings, of 100. */
  total: number
  /** The same by the groups of rules. */
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
  /** Findings that it had too. */
  unchanged: number
  /** Findings that only it had. */
  fixed: number
}

/** The fix of a finding. */
export interface FindingFix {
  /** `unsafe` fixes need a review by a person. */
  safety: 'safe' | 'unsafe'
  /** What it does. */
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
  /** The branch that is read. Default: that of the project, else its default branch. */
  branch?: string | undefined
  /** The folder of `dbt_project.yml`; `.` is the root. Default: the only one that there is. */
  path?: string | undefined
  /** `queued` and `running` jobs change by themselves; all other states are final. */
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
  /** An error takes all of a file, a warning half of it, an info a tenth. */
  score?: AnalysisScore | undefined
  /** Numbers of findings, once it is completed. Those that are fixed are in no severity. */
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
  /** The branch that is read. Default: that of the project, else its default branch. */
  branch?: string | undefined
  /** The folder of `dbt_project.yml`; `.` is the root. Default: the only one that there is. */
  path?: string | undefined
  /** `queued` and `running` jobs change by themselves; all other states are final. */
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
  /** An error takes all of a file, a warning half of it, an info a tenth. */
  score?: AnalysisScore | undefined
  /** Numbers of findings, once it is completed. Those that are fixed are in no severity. */
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
  /** What was found. */
  message: string
  /** What to do. */
  help: string
  /** Relative to the dbt project. */
  path: string
  /** The first character. */
  start: {
    /** From 1. */
    line: number
    /** From 1, in UTF-16 units. */
    column: number
  }
  /** Behind the last character. */
  end: {
    /** From 1. */
    line: number
    /** From 1, in UTF-16 units. */
    column: number
  }
  /** The line of `start`, of at most 400 characters. */
  text: string
  /** The thing that it is about. */
  subject: {
    /** `model`, `source`, `file` and so on. */
    kind: string
    /** Its name. */
    name: string
    /** A column, or a reference. */
    detail?: string | undefined
  }
  /** Present if `stagecraft lint --fix` can mend it. */
  fix?: FindingFix | undefined
  /** Stays the same when lines move and files are renamed. */
  fingerprint: string
}
