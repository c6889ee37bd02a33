import type { Place, Proposal, ProposalDraft } from '@stagecraft/assistant'
import type { ReadTable } from '@stagecraft/core/run'
import type { ProjectContents } from '../analyses/analysis-task.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'

/** A dbt project as it goes to the thread that answers questions about it. */
export interface ProjectTask {
  readonly projectId: string
  readonly files: ProjectContents
  /** The folder of the dbt project in the repository. */
  readonly folder: string
  readonly settings: ProjectSettings
  /** The raw tables, each as JSON; undefined without a scan. */
  readonly tables: readonly string[] | undefined
}

/** A question to that thread. */
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

/** The things that the thread asks for on the way to an answer. */
export interface ProjectAsks {
  /** Keeps a proposal. */
  readonly keep: (draft: ProposalDraft) => Promise<Proposal>
  /** Reads a raw table that a model is wanted for; undefined without a scan. */
  readonly table: (source: string) => Promise<ReadTable | undefined>
}
