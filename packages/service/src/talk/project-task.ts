import type { Place, Proposal, ProposalDraft } from '@stagecraft/assistant'
import type { ReadTable } from '@stagecraft/core/run'
import type { ProjectContents } from '../analyses/analysis-task.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'

/** A dbt project in the form that is sent to the thread. */
export interface ProjectTask {
  readonly projectId: string
  readonly files: ProjectContents
  /** The folder of the dbt project in the repository. */
  readonly folder: string
  readonly settings: ProjectSettings
  /** The raw tables, each as JSON; undefined without a scan. */
  readonly tables: readonly string[] | undefined
}

/** A question to the thread. */
export type ProjectQuestion =
  | {
      readonly kind: 'call'
      readonly tool: string
      readonly input: unknown
      /** True if the tool may keep proposals. */
      readonly proposes: boolean
    }
  | { readonly kind: 'compute'; readonly question: string }
  | { readonly kind: 'finding'; readonly id: string }
  | { readonly kind: 'lines'; readonly places: readonly Place[] }

/** The requests of the thread while it answers. */
export interface ProjectAsks {
  /** Stores a proposal. */
  readonly keep: (draft: ProposalDraft) => Promise<Proposal>
  /** Reads a raw table for a model; undefined without a scan. */
  readonly table: (source: string) => Promise<ReadTable | undefined>
}
