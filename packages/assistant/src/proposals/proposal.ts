import { hashText, patchOf } from '@stagecraft/dbt'

/** A changed file in a draft of a tool. */
export interface ProposedChange {
  /** Relative to the folder of the dbt project, with `/` between folders. */
  readonly path: string
  /** The text before the change; undefined for a new file. */
  readonly before: string | undefined
  /** The text to write; undefined to remove the file. */
  readonly after: string | undefined
}

/** The kinds of proposals. */
export const PROPOSAL_KINDS = {
  model: 'the files of a model, planned by the rules of the project',
  fix: 'fixes of findings of lint',
  yaml: 'edited properties: descriptions, tests',
} as const
export type ProposalKind = keyof typeof PROPOSAL_KINDS

/** A change by a tool, before it is kept. */
export interface ProposalDraft {
  readonly kind: ProposalKind
  /** One line: `describe model.stg_orders and 3 of its columns`. */
  readonly title: string
  readonly files: readonly ProposedChange[]
  /** The evidence for the change: findings, constraints, names. */
  readonly evidence: readonly string[]
  /** Parts that were left out, with their reasons. */
  readonly notes: readonly string[]
  /**
   * The tables of a plan, as `printItem` prints them. Applying the proposal plans them again.
   * @default none: the proposal only has files
   */
  readonly items?: readonly string[]
}

/** A file of a kept proposal. */
export interface ProposedFile {
  readonly path: string
  /** SHA-256 of the text before the change; null for a new file. */
  readonly baseSha256: string | null
  /** The text to write; null to remove the file. */
  readonly after: string | null
  /** The difference as git prints it. */
  readonly patch: string
}

/** The shells that proposals come from. */
export const PROPOSERS = ['mcp', 'assistant'] as const
export type Proposer = (typeof PROPOSERS)[number]

/** A change that a person can apply. */
export interface Proposal extends Omit<ProposalDraft, 'files'> {
  /** `prop_…`. A name, not a permission. */
  readonly id: string
  readonly createdBy: Proposer
  /** As ISO 8601. */
  readonly createdAt: string
  /** As ISO 8601; applying it later is refused. */
  readonly expiresAt: string
  readonly files: readonly ProposedFile[]
}

export interface SealOptions {
  /** The id of the proposal, unique among those that are kept. */
  readonly id: string
  /** The person or program that asked for it. */
  readonly createdBy: Proposer
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The time for which a proposal can be applied. */
const PROPOSAL_DAYS = 7

/** Turns a draft into a proposal: with hashes in place of the old texts, with differences, and with an expiry. */
export function sealProposal(draft: ProposalDraft, { createdBy, id, now }: SealOptions): Proposal {
  return {
    ...draft,
    id,
    createdBy,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + PROPOSAL_DAYS * 86_400_000).toISOString(),
    files: draft.files.map((file) => ({
      path: file.path,
      baseSha256: file.before === undefined ? null : hashText(file.before),
      after: file.after ?? null,
      patch: patchOf(file),
    })),
  }
}

const PROPOSAL_ID = /^prop_[0-9a-z]{28}$/

/** Returns true if a text has the form of a proposal's id. */
export function isProposalId(text: string): boolean {
  return PROPOSAL_ID.test(text)
}
