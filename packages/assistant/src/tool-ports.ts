import type { ProposalDraft, Proposal } from './proposals/proposal.ts'

/** Everything that tools use beside the project; each is for the shell to offer. */
export interface ToolPorts {
  /** Keeps proposals until a person decides. @default tools that propose refuse */
  readonly proposals?: ProposalPort
  /** Plans the files of a model by the rules of the project. @default `propose_model` refuses */
  readonly planner?: ModelPlanner
  /** Lets values of rows into results: value lists and ranges that a look at the rows found. @default false */
  readonly allowValues?: boolean
}

/** Keeps proposals. The shell decides where: in a folder of the project, or in a store, bound to a key and a project. */
export interface ProposalPort {
  readonly keep: (draft: ProposalDraft) => Promise<Proposal>
  /** Says how a person applies a proposal, and sees all of it. @default by the commands of `stagecraft` */
  readonly ways?: (id: string) => { readonly apply: string; readonly show: string }
}

/** A model to plan. */
export interface ModelWish {
  /** The dotted name of the raw table: `raw.shop.orders`. */
  readonly source: string
  /** One sentence about the table. @default what the rules say */
  readonly description?: string | undefined
  /** Wishes for columns, which are checked against the table before they are used. */
  readonly columns: readonly ColumnWish[]
}

/** The wishes of a language model for a column. */
export interface ColumnWish {
  /** As the raw table has it. */
  readonly column: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly tests?: readonly ('not_null' | 'unique')[] | undefined
}

/** The files of a planned model, and what there is to say of them. */
export interface PlannedModel {
  readonly model: string
  readonly files: ProposalDraft['files']
  /** The tables of the plan, as `printItem` prints them. */
  readonly items: readonly string[]
  /** Of the plan, and of what was not used of an edit: `the description claims what no constraint proves`. */
  readonly notes: readonly string[]
  /** The tests and descriptions of the model, each with its evidence: `order_id: unique (primary key)`. */
  readonly evidence: readonly string[]
}

/** Plans models. It writes nothing. */
export interface ModelPlanner {
  /** @throws {StagecraftError} INVALID_SOURCE or INVALID_REQUEST for a table that is not known, and files in conflict. */
  readonly plan: (wish: ModelWish) => Promise<PlannedModel>
}
