import { StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { type Item, itemSchema } from '../tool.ts'
import type { ProposalPort, ToolPorts } from '../tool-ports.ts'
import type { ProposalDraft, ProposedFile } from './proposal.ts'
import { harmOf } from './proposal-changes.ts'

/** The most lines of a difference to show. */
const SHOWN_LINES = 60

/** Fields beside the items of every tool that proposes. */
export const proposalHead = {
  proposal: z.string(),
  title: z.string(),
  expiresAt: z.string(),
  evidence: z.array(z.string()),
  next: z.string(),
}

export const changeSchema = itemSchema.extend({ diff: z.array(z.string()) })

interface Proposed {
  readonly head: {
    proposal: string
    title: string
    expiresAt: string
    evidence: string[]
    next: string
  }
  readonly items: readonly (Item & { diff: string[] })[]
  readonly notes: readonly string[]
}

/**
 * Keeps a draft as a proposal if it breaks nothing: all files stay readable, and lint finds no new error.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a draft that changes nothing or breaks something, and without a
 * keeper of proposals.
 */
export async function propose(
  view: ProjectView,
  draft: ProposalDraft,
  { proposals }: ToolPorts,
): Promise<Proposed> {
  const port = assertProposals(proposals)
  const files = draft.files.filter(({ after, before }) => after !== before)
  if (files.length === 0) throw nothingToChange(draft.notes)
  await assertHarmless(view, files)
  const proposal = await port.keep({ ...draft, files })
  const ways = (port.ways ?? commands)(proposal.id)
  return {
    head: {
      proposal: proposal.id,
      title: proposal.title,
      expiresAt: proposal.expiresAt,
      evidence: proposal.evidence.slice(0, 12),
      next: `nothing is written yet; a person applies it: ${ways.apply}`,
    },
    items: proposal.files.map((file) => toItem(file, ways.show)),
    notes: proposal.notes,
  }
}

function commands(id: string): ReturnType<NonNullable<ProposalPort['ways']>> {
  return { apply: `stagecraft apply ${id}`, show: `stagecraft proposals show ${id}` }
}

/** @throws {StagecraftError} INVALID_REQUEST without a keeper of proposals. */
export function assertProposals(port: ToolPorts['proposals']): NonNullable<ToolPorts['proposals']> {
  if (port) return port
  throw StagecraftError.invalid({
    path: 'the server',
    expected: 'a place for proposals',
    received: 'none, because it was started with --no-proposals; ask the user to start it without',
  })
}

async function assertHarmless(view: ProjectView, files: ProposalDraft['files']): Promise<void> {
  if (!view.withTexts) return
  const texts = new Map(files.flatMap(({ after, path }) => (after === undefined ? [] : [[path, after]])))
  const harm = harmOf(view, await view.withTexts(texts))
  if (harm.length === 0) return
  throw new StagecraftError(
    'INVALID_REQUEST',
    `nothing was proposed: the change would break the project: ${harm.slice(0, 5).join('; ')}`,
    { details: { harm: harm.slice(0, 20) } },
  )
}

function nothingToChange(notes: readonly string[]): StagecraftError {
  const reasons = notes.length === 0 ? 'everything already exists' : notes.slice(0, 5).join('; ')
  return new StagecraftError('INVALID_REQUEST', `nothing was proposed: ${reasons}`, {
    details: { reasons: notes.slice(0, 20) },
  })
}

function toItem({ after, baseSha256, patch, path }: ProposedFile, show: string): Item & { diff: string[] } {
  const lines = patch.trimEnd().split('\n').slice(2)
  const [, line = '1'] = /^@@ -(\d+)/m.exec(patch) ?? []
  const what = baseSha256 === null ? 'creates' : after === null ? 'removes' : 'changes'
  const left = lines.length - SHOWN_LINES
  return {
    id: `file.${path}`,
    kind: 'change',
    file: path,
    line: Math.max(1, Number(line)),
    text: `${what} the file${left > 0 ? `; ${left} more lines: ${show}` : ''}`,
    diff: lines.slice(0, SHOWN_LINES),
  }
}
