import { hashText, patchOf } from '@stagecraft/dbt'

/** A file that a proposal changes, as the tool that proposes it has it. */
export interface ProposedChange {
  /** Relative to the folder of the dbt project, with `/` between folders. */
  readonly path: string
  /** The text that it was made from; undefined for no file. */
  readonly before: string | undefined
  /** The text to write; undefined to remove the file. */
  readonly after: string | undefined
}

/** The kinds of proposals. */
export const PROPOSAL_KINDS = {
  model: 'the files of a model, planned by the rules of the project',
  fix: 'fixes of findings of lint',
  yaml: 'edits of properties: descriptions, tests',
} as const
export type ProposalKind = keyof typeof PROPOSAL_KINDS

/** A change that a tool worked out, before it is kept. */
export interface ProposalDraft {
  readonly kind: ProposalKind
  /** One line: `describe model.stg_orders and 3 of its columns`. */
  readonly title: string
  readonly files: readonly ProposedChange[]
  /** The grounds of the change: findings, constraints, names. */
  readonly evidence: readonly string[]
  /** Parts that were not done, with their reasons. */
  readonly notes: readonly string[]
  /**
   * The tables of a plan, as `printItem` prints them: who applies the proposal plans them again.
   * @default the texts of the files are all there is to it
   */
  readonly items?: readonly string[]
}

/** A file of a proposal that is kept. */
export interface ProposedFile {
  readonly path: string
  /** SHA-256 of the text that has to stand there; null for no file. */
  readonly baseSha256: string | null
  /** The text to write; null to remove the file. */
  readonly after: string | null
  /** The difference as git prints it. */
  readonly patch: string
}

/** The shells that proposals come from. */
export const PROPOSERS = ['mcp', 'assistant'] as const
export type Proposer = (typeof PROPOSERS)[number]

/** A change that is kept for a person to apply. */
export interface Proposal extends Omit<ProposalDraft, 'files'> {
  /** `prop_…`. It is a name and no permission. */
  readonly id: string
  readonly createdBy: Proposer
  /** As ISO 8601. */
  readonly createdAt: string
  /** As ISO 8601; from then on it is refused. */
  readonly expiresAt: string
  readonly files: readonly ProposedFile[]
}

export interface SealOptions {
  readonly id: string
  readonly createdBy: Proposer
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The time for which a proposal can be applied. */
const PROPOSAL_DAYS = 7

/** Makes a proposal of a draft: with hashes in place of the texts that it was made from, differences, and an end. */
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

/** Tells whether a text has the form of the id of a proposal. */
export function isProposalId(text: string): boolean {
  return PROPOSAL_ID.test(text)
}
