import type { ProposalDraft, Proposal } from './proposals/proposal.ts'

/** Everything that tools use besides the project. Each member is optional and comes from the shell. */
export interface ToolPorts {
  /** Keeps proposals until a person decides. @default tools that propose refuse */
  readonly proposals?: ProposalPort
  /** Plans the files of a model by the rules of the project. @default `propose_model` refuses */
  readonly planner?: ModelPlanner
  /** Allows values of rows in results: value lists and ranges found by profiling. @default false */
  readonly allowValues?: boolean
}

/** Keeps proposals in a folder of the project, or in a store under a key and a project. */
export interface ProposalPort {
  readonly keep: (draft: ProposalDraft) => Promise<Proposal>
  /** Returns the ways to show and apply a proposal. @default by the commands of `stagecraft` */
  readonly ways?: (id: string) => { readonly apply: string; readonly show: string }
}

/** A model to plan. */
export interface ModelWish {
  /** The dotted name of the raw table: `raw.shop.orders`. */
  readonly source: string
  /** One sentence about the table. @default the description of the rules */
  readonly description?: string | undefined
  /** Proposed columns, checked against the table before use. */
  readonly columns: readonly ColumnWish[]
}

/** The proposals of a language model for a column. */
export interface ColumnWish {
  /** The stored name of the column. */
  readonly column: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly tests?: readonly ('not_null' | 'unique')[] | undefined
}

/** The files of a planned model, with its warnings and evidence. */
export interface PlannedModel {
  readonly model: string
  readonly files: ProposalDraft['files']
  /** The tables of the plan, as `printItem` prints them. */
  readonly items: readonly string[]
  /** Warnings of the plan, and of unused parts of an edit: `the description claims what no constraint proves`. */
  readonly notes: readonly string[]
  /** The tests and descriptions of the model, each with its evidence: `order_id: unique (primary key)`. */
  readonly evidence: readonly string[]
}

/** Plans models. It writes nothing. */
export interface ModelPlanner {
  /** @throws {StagecraftError} INVALID_SOURCE or INVALID_REQUEST for an unknown table and for files in conflict. */
  readonly plan: (wish: ModelWish) => Promise<PlannedModel>
}
