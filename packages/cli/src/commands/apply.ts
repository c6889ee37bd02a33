import { readFileSync } from 'node:fs'
import {
  describeConflict,
  type FileChange,
  hashText,
  readText,
  readUndo,
  writeChanges,
} from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { fileFault } from '../files/file-fault.ts'
import { applyPlan, type ApplyOptions, refuseConflicts } from '../project/apply-plan.ts'
import type { MadePlan } from '../project/make-plan.ts'
import { type OpenProject, openProject, withProjectLock } from '../project/open-project.ts'
import { planJson } from '../project/plan-json.ts'
import { summarize } from '../project/print-plan.ts'
import type { ProjectFlags } from '../project/project-flags.ts'
import { parseSavedPlan, type SavedChange } from '../project/saved-plan.ts'
import { assertTablesOf } from '../project/saved-tables.ts'
import { paint } from '../terminal/paint.ts'
import { count, LISTED } from '../terminal/report.ts'
import { makePlanFor } from './plan.ts'

export interface ApplyFlags extends ProjectFlags, ApplyOptions {
  /** A file that `stagecraft plan --out` wrote. */
  readonly plan?: string
  readonly json?: boolean
}

/** `stagecraft apply`: writes the changes that `plan` shows, all or nothing. */
export function applyCommand(sources: readonly string[], flags: ApplyFlags): Promise<void> {
  const { plan, projectDir } = flags
  const proposals = sources.filter((source) => source.startsWith('prop_'))
  if (proposals.length > 0 && (proposals.length < sources.length || plan !== undefined))
    throw StagecraftError.invalid({
      path: 'source',
      expected: 'proposals alone',
      received: `${proposals[0]} with ${plan === undefined ? 'source names' : '--plan'}`,
    })
  return withProjectLock(projectDir, () => {
    if (proposals.length > 0) return applyProposed(proposals, flags)
    return plan === undefined ? applyPlanned(sources, flags) : applySaved(plan, flags)
  })
}

async function applyProposed(ids: readonly string[], flags: ApplyFlags): Promise<void> {
  const { applyProposals } = await import('./apply-proposal.ts')
  const applied = await applyProposals(ids, flags)
  if (flags.json)
    process.stdout.write(
      `${JSON.stringify(
        applied.map(({ proposal, written }) => ({ id: proposal.id, files: written.map(({ path }) => path) })),
        null,
        2,
      )}\n`,
    )
  else for (const { proposal, written } of applied) reportWritten(written, `applied ${proposal.id}`)
}

async function applyPlanned(sources: readonly string[], flags: ApplyFlags): Promise<void> {
  const applied = await planAndApply(sources, flags)
  if (flags.json) process.stdout.write(`${JSON.stringify(planJson(applied.made), null, 2)}\n`)
  else reportApplied(applied)
}

interface Applied {
  readonly made: MadePlan
  readonly written: readonly FileChange[]
}

/** Plans and writes, and prints conflicts. */
export async function planAndApply(sources: readonly string[], flags: ApplyFlags): Promise<Applied> {
  const { made, project } = await makePlanFor(sources, flags, { writes: true })
  const conflicts = made.plan.files.filter(({ action }) => action === 'conflict')
  for (const { conflicts: reasons, path } of conflicts)
    for (const reason of reasons)
      process.stderr.write(`${paint('red', 'conflict')} ${path}: ${describeConflict(reason)}\n`)
  return { made, written: await applyPlan(made.plan, project, flags) }
}

/** Prints the written files and a summary on standard error. */
export function reportApplied({ made, written }: Applied): void {
  reportWritten(written, summarize(made.plan, { isDone: written.length > 0 }))
}

async function applySaved(file: string, flags: ApplyFlags): Promise<void> {
  const { partial = false, projectDir } = flags
  const saved = parseSavedPlan(readPlan(file), file)
  if (!partial) refuseConflicts(saved.conflicts, 'resolve by hand and plan again, or plan with --conflict')
  const project = await openProject(projectDir, { ...flags, writes: true })
  const changes = await Promise.all(saved.changes.map((change) => toChange(change, project)))
  await assertTablesOf(saved, flags, project)
  writeChanges(project.root, changes)
  reportWritten(
    changes.filter(({ after, before }) => after !== before),
    `applied ${file}`,
  )
}

function readPlan(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw fileFault(error, file)
  }
}

/** @throws {StagecraftError} INVALID_REQUEST if a file changed since the plan was made. */
async function toChange({ after, before, path }: SavedChange, { tree }: OpenProject): Promise<FileChange> {
  const present = await readText(tree, path)
  const hash = present === undefined ? null : hashText(present)
  if (hash === before || present === after) return { path, before: present, after: after ?? undefined }
  throw new StagecraftError(
    'INVALID_REQUEST',
    `nothing was written: the plan is stale, because ${path} changed since it was made; plan again`,
    {
      details: { files: [path] },
    },
  )
}

/** Prints the written files on standard error; of many, the first. */
export function reportWritten(changes: readonly FileChange[], summary: string): void {
  for (const { after, before, path } of changes.slice(0, LISTED)) {
    const what = before === undefined ? 'created' : after === undefined ? 'removed' : 'changed'
    process.stderr.write(`${paint(after === undefined ? 'yellow' : 'green', what)} ${path}\n`)
  }
  if (changes.length > LISTED) process.stderr.write(`and ${count(changes.length - LISTED, 'more file')}\n`)
  process.stderr.write(`${changes.length === 0 ? 'nothing to write; ' : ''}${summary}\n`)
}

/** `stagecraft undo`: undoes the last command that wrote files; a second call repeats it. */
export function undoCommand({ projectDir }: { readonly projectDir: string }): Promise<void> {
  return withProjectLock(projectDir, () => undo(projectDir))
}

async function undo(projectDir: string): Promise<void> {
  const { root } = await openProject(projectDir, { writes: true })
  const last = readUndo(root)
  if (!last) {
    const expected = 'a project changed by stagecraft on this machine'
    throw new StagecraftError('INVALID_REQUEST', `there is nothing to undo: expected ${expected}`, {
      details: { faults: [{ path: 'project-dir', expected, received: 'no record of a change' }] },
    })
  }
  const { changes, command, isUndone } = last
  writeChanges(root, changes, { command, isUndone: !isUndone })
  reportWritten(
    changes,
    isUndone
      ? `repeated the last ${command}; undo again to undo it`
      : `undid the last ${command}; undo again to repeat it`,
  )
}
