import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { stateFolder } from '@stagecraft/dbt'
import { type Clock, type Ids, StagecraftError, systemClock, timeSortedIds } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { ProposalPort } from '../tool-ports.ts'
import {
  isProposalId,
  type Proposal,
  PROPOSAL_KINDS,
  PROPOSERS,
  type Proposer,
  sealProposal,
} from './proposal.ts'

/** The proposals of a project on disk: files in `.stagecraft/proposals` that only their owner can read. */
export interface DiskProposals extends ProposalPort {
  /** Returns those that can still be applied, oldest first. */
  readonly list: () => readonly Proposal[]
  /** @throws {StagecraftError} INVALID_REQUEST for an unknown id. */
  readonly read: (id: string) => Proposal
  /** @throws {StagecraftError} INVALID_REQUEST for an unknown id. */
  readonly discard: (id: string) => void
}

export interface DiskProposalsOptions {
  /** The person or program that the kept proposals name. */
  readonly createdBy: Proposer
  /** @default the clock of the machine */
  readonly clock?: Clock
  /** @default random ids */
  readonly ids?: Ids
}

/** The most proposals at a time; more come from a client in a loop. */
const MOST_PROPOSALS = 100

/** Opens the proposals of a project. The first proposal creates the folder. */
export function diskProposals(
  root: string,
  { clock = systemClock, createdBy, ids = timeSortedIds(clock) }: DiskProposalsOptions,
): DiskProposals {
  const folder = join(root, '.stagecraft', 'proposals')
  const fileOf = (id: string): string => join(folder, `${id}.json`)
  const read = (id: string): Proposal => {
    const text = isProposalId(id) ? readIfThere(fileOf(id)) : undefined
    if (text === undefined) throw unknownProposal(id)
    return parseProposal(text, id)
  }
  const open = (): readonly Proposal[] => {
    const all = idsIn(folder).map(read)
    const live = all.filter(({ expiresAt }) => Date.parse(expiresAt) > clock.now())
    for (const { id } of all.filter((one) => !live.includes(one))) rmSync(fileOf(id), { force: true })
    return live
  }
  return {
    async keep(draft) {
      makeFolder(root, folder)
      if (open().length >= MOST_PROPOSALS) throw tooMany()
      const proposal = sealProposal(draft, { id: ids.next('prop'), createdBy, now: clock.now() })
      const beside = `${fileOf(proposal.id)}.new`
      writeFileSync(beside, `${JSON.stringify({ stagecraftProposal: 1, ...proposal }, null, 2)}\n`, {
        mode: 0o600,
        flag: 'wx',
      })
      renameSync(beside, fileOf(proposal.id))
      return proposal
    },
    list: open,
    read,
    discard(id) {
      read(id)
      rmSync(fileOf(id))
    },
  }
}

function idsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .map((name) => name.replace(/\.json$/, ''))
      .filter(isProposalId)
      .toSorted()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** @throws {StagecraftError} INVALID_REQUEST if a link leads out of the project. */
function makeFolder(root: string, folder: string): void {
  stateFolder(root)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!realpathSync(folder).startsWith(`${realpathSync(root)}${sep}`))
    throw StagecraftError.invalid({
      path: '.stagecraft/proposals',
      expected: 'a folder in the project',
      received: 'a link out of the project',
    })
  const ignored = join(folder, '.gitignore')
  if (readIfThere(ignored) === undefined) writeFileSync(ignored, '*\n')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
    throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Files that a proposal may change: files of dbt that people write, and files of Stagecraft. */
const CHANGEABLE =
  /^(?:(?!.*(?:^|\/)\.)(?!.*(?:^|\/)profiles\.ya?ml$).+\.(?:sql|ya?ml|md)|stagecraft\.lock|\.gitattributes)$/i

/** Refuses paths that lead out of the project: anyone may have written the file of a proposal. */
function isChangeable(path: string): boolean {
  const parts = path.split(/[/\\]/)
  return !path.startsWith('/') && !path.includes('\0') && !parts.includes('..') && CHANGEABLE.test(path)
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)

const storedProposal = z.object({
  stagecraftProposal: z.literal(1),
  id: z.string(),
  kind: z.enum(Object.keys(PROPOSAL_KINDS) as (keyof typeof PROPOSAL_KINDS)[]),
  title: z.string(),
  createdBy: z.enum(PROPOSERS),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  files: z.array(
    z.object({
      path: z.string().refine(isChangeable, 'a file of the project'),
      baseSha256: hash.nullable(),
      after: z.string().nullable(),
      patch: z.string(),
    }),
  ),
  evidence: z.array(z.string()),
  notes: z.array(z.string()),
  items: z.array(z.string()).optional(),
})

/**
 * Reads a kept proposal.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an invalid file, and for paths that no proposal may change.
 */
function parseProposal(text: string, id: string): Proposal {
  const parsed = storedProposal.safeParse(parseJson(text))
  if (parsed.success && parsed.data.id === id) {
    const { items, stagecraftProposal: _, ...proposal } = parsed.data
    return items ? { ...proposal, items } : proposal
  }
  throw StagecraftError.invalid({
    path: `.stagecraft/proposals/${id}.json`,
    expected: 'a stored proposal',
    received: 'something else',
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function unknownProposal(id: string): StagecraftError {
  return StagecraftError.invalid(
    {
      path: 'proposal',
      expected: 'the id of a proposal of this project',
      received: JSON.stringify(id.slice(0, 100)),
    },
    { suggestion: 'stagecraft proposals lists them; they expire after 7 days' },
  )
}

function tooMany(): StagecraftError {
  return StagecraftError.invalid(
    {
      path: 'proposals',
      expected: `fewer than ${MOST_PROPOSALS} open ones`,
      received: `${MOST_PROPOSALS}`,
    },
    { suggestion: 'stagecraft proposals lists them, stagecraft proposals discard <id…> deletes them' },
  )
}
