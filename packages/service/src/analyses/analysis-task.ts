import type { DialectName, Table } from '@stagecraft/spec'
import type { ReportSummary, RuleChoice } from './check-project.ts'

/** The files of a dbt project by path. */
export type ProjectContents = Readonly<Record<string, Uint8Array>>

/** The project of an analysis: its files, or a zip archive in base64, and the requested folder. */
export type ProjectInput =
  | { readonly files: ProjectContents }
  | { readonly archive: string; readonly path: string | undefined }

/** The tasks of a thread of analyses. */
export type AnalysisTask =
  | {
      readonly kind: 'check'
      readonly input: ProjectInput
      readonly rules: RuleChoice
      readonly dialect: DialectName | undefined
    }
  | {
      readonly kind: 'fix'
      readonly files: ProjectContents
      readonly order: FixOrder
      readonly dialect: DialectName | undefined
    }
  | {
      readonly kind: 'joins'
      readonly files: ProjectContents
      readonly tables: readonly Table[]
      readonly dialect: DialectName | undefined
    }

/** A join in the SQL of a project; tables are named by their numbers. */
export interface FoundJoin {
  readonly left: { readonly table: number; readonly column: string }
  readonly right: FoundJoin['left']
  readonly place: string
}

export interface CheckAnswer {
  readonly summary: ReportSummary
  /** The folder of the dbt project in an archive; empty for its root. */
  readonly folder: string | undefined
}

/** The fixes that a push makes. */
export interface FixOrder {
  /** The rules of the analysis. */
  readonly rules: RuleChoice
  /** Limits the fixes to these rules. @default all checked rules */
  readonly only?: readonly string[]
  /** True to include fixes that need review. */
  readonly unsafe: boolean
}

/** A file that fixes change, with the fixes in it. */
interface FixedFile {
  readonly path: string
  /** Undefined for no file. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly notes: readonly string[]
}

export interface FixedProject {
  readonly files: readonly FixedFile[]
}
