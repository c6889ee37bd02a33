import { type DiskProposals, diskProposals, type Proposal } from '@stagecraft/assistant'
import { escapeForTerminal } from '@stagecraft/spec'
import { chooseProject } from '../files/choose-project.ts'
import { paint } from '../terminal/paint.ts'
import { print } from '../terminal/print.ts'
import { count } from '../terminal/report.ts'

export interface ProposalsFlags {
  readonly projectDir?: string
  readonly json?: boolean
}

/** `stagecraft proposals list`: the proposals that can be applied. */
export async function listProposalsCommand(flags: ProposalsFlags): Promise<void> {
  const proposals = (await openProposals(flags)).list()
  if (flags.json) {
    print(JSON.stringify(proposals, null, 2))
    return
  }
  for (const proposal of proposals)
    print(
      [
        proposal.id,
        proposal.createdAt.slice(0, 16).replace('T', ' '),
        count(proposal.files.length, 'file'),
        escapeForTerminal(proposal.title),
      ].join('  '),
    )
  if (proposals.length === 0) process.stderr.write('there are no proposals\n')
}

/** `stagecraft proposals show`: prints a proposal with its differences. */
export async function showProposalCommand(id: string, flags: ProposalsFlags): Promise<void> {
  const proposal = (await openProposals(flags)).read(id)
  if (flags.json) print(JSON.stringify(proposal, null, 2))
  else printProposal(proposal)
}

function printProposal({
  createdAt,
  createdBy,
  evidence,
  expiresAt,
  files,
  id,
  notes,
  title,
}: Proposal): void {
  print(paint('bold', escapeForTerminal(title)))
  print(`${id}, by ${createdBy} on ${createdAt.slice(0, 10)}, until ${expiresAt.slice(0, 10)}`)
  for (const one of evidence) print(`because ${escapeForTerminal(one)}`)
  for (const note of notes) print(paint('yellow', `note: ${escapeForTerminal(note)}`))
  for (const { patch } of files) print(`\n${patch.trimEnd().split('\n').map(paintLine).join('\n')}`)
  print(`\nstagecraft apply ${id} writes it`)
}

function paintLine(line: string): string {
  const text = escapeForTerminal(line)
  if (/^(?:\+\+\+|---|@@)/.test(line)) return paint('dim', text)
  if (line.startsWith('+')) return paint('green', text)
  return line.startsWith('-') ? paint('red', text) : text
}

/** `stagecraft proposals discard`: deletes proposals. */
export async function discardProposalsCommand(ids: readonly string[], flags: ProposalsFlags): Promise<void> {
  const proposals = await openProposals(flags)
  for (const id of ids) proposals.read(id)
  for (const id of ids) proposals.discard(id)
  process.stderr.write(`discarded ${count(ids.length, 'proposal')}\n`)
}

async function openProposals({ projectDir }: ProposalsFlags): Promise<DiskProposals> {
  const { root } = await chooseProject([], projectDir)
  return diskProposals(root, { createdBy: 'assistant' })
}
