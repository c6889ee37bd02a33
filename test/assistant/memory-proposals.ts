import { type Proposal, type ProposalPort, sealProposal } from '@stagecraft/assistant'
import { timeSortedIds } from '@stagecraft/spec'

/** The moment of all proposals of tests. */
export const PROPOSED_AT = Date.parse('2026-03-01T12:00:00Z')

export interface MemoryProposals extends ProposalPort {
  readonly kept: readonly Proposal[]
}

/** Keeps proposals in a list. */
export function memoryProposals(): MemoryProposals {
  const kept: Proposal[] = []
  const ids = timeSortedIds({ now: () => PROPOSED_AT })
  return {
    kept,
    keep(draft) {
      const proposal = sealProposal(draft, { id: ids.next('prop'), createdBy: 'mcp', now: PROPOSED_AT })
      kept.push(proposal)
      return Promise.resolve(proposal)
    },
  }
}
