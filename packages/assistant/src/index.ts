export { type QueryableProject, queryableProject, askInPlace, type Place } from './queryable-project.ts'
export { ask, type ComputedAnswer } from './ask/ask.ts'
export { ASKABLE } from './ask/askable.ts'
export { cleanText, TEXT_LIMIT } from './clean-text.ts'
export { freshView } from './fresh-view.ts'
export { insideTree, publicTree } from './inside-tree.ts'
export { type ProjectView, projectView, type ProjectViewOptions } from './project-view.ts'
export { findTable, type KnownTables } from './proposals/find-table.ts'
export { type ModelPlanning, planModel } from './proposals/plan-model.ts'
export { type DiskProposals, diskProposals, type DiskProposalsOptions } from './proposals/disk-proposals.ts'
export {
  isProposalId,
  type Proposal,
  PROPOSAL_KINDS,
  type ProposalDraft,
  type ProposalKind,
  type ProposedChange,
  type ProposedFile,
  type Proposer,
  sealProposal,
  type SealOptions,
} from './proposals/proposal.ts'
export { type Answer, type Citation } from './talk/answer.ts'
export { type SeenLine } from './talk/evidence.ts'
export { type Prices, type StoppedBy, type TalkLimits } from './talk/limits.ts'
export { type Exchange, TALK_SYSTEM } from './talk/prompt.ts'
export { type TalkEvent } from './talk/talk-event.ts'
export { type Talk, talk, type TalkOptions, toExchange } from './talk/talk.ts'
export {
  answerLine,
  conversationOf,
  openingLine,
  printLine,
  readTranscript,
  recordedQuestions,
  transcribing,
  type TranscriptLine,
} from './talk/transcript.ts'
export {
  harmOf,
  proposalChanges,
  type ProposalChangesOptions,
  staleProposal,
} from './proposals/proposal-changes.ts'
export { type Item, RESULT_BYTES, type Tool, type ToolEffect, type ToolResult } from './tool.ts'
export {
  type ColumnWish,
  type ModelPlanner,
  type ModelWish,
  type PlannedModel,
  type ProposalPort,
  type ToolPorts,
} from './tool-ports.ts'
export { chooseTools, type ToolChoice, TOOLS } from './tools/index.ts'
