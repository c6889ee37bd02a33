import { execFileSync } from 'node:child_process'
import {
  ATTRIBUTES_FILE,
  type FileChange,
  hashText,
  isChange,
  plannedChanges,
  type ProjectPlan,
  readText,
  writeChanges,
} from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { repositoryOf } from '../files/choose-project.ts'
import { isForHand } from './for-hand.ts'
import type { OpenProject } from './open-project.ts'

export interface ApplyOptions {
  /** Writes the other files if some are in conflict. @default false */
  readonly partial?: boolean
  /** Changes uncommitted files of a person. @default false */
  readonly allowDirty?: boolean
}

/**
 * Writes the planned files, all or nothing, the lock last.
 *
 * @throws {StagecraftError} INVALID_REQUEST if files are in conflict, uncommitted, or changed since; nothing is
 * written then.
 */
export async function applyPlan(
  plan: ProjectPlan,
  project: OpenProject,
  { allowDirty = false, partial = false }: ApplyOptions,
): Promise<readonly FileChange[]> {
  const conflicts = plan.files.filter(({ action }) => action === 'conflict')
  const areForHand = conflicts.every((file) => file.conflicts.every(isForHand))
  if (!partial)
    refuseConflicts(
      conflicts.map(({ path }) => path),
      areForHand ? 'fix the errors above' : undefined,
    )
  const files = plan.files.filter((file) => isChange(file) && file.action !== 'conflict')
  if (!allowDirty)
    refuseDirty(
      project.root,
      files
        .filter(
          ({ action, before, path }) =>
            action === 'merge' && !project.resolved.has(path) && !project.texts.wasWritten(before ?? ''),
        )
        .map(({ path }) => path),
    )
  const changes = await changesOf(plan, project)
  if (changes.some(({ after, before }) => after !== before)) project.texts.add(plan.generated)
  writeChanges(project.root, changes)
  const written = changes.filter(({ after, before }) => after !== before)
  if (written.length > 0) {
    project.texts.addWritten(written.flatMap(({ after }) => after ?? []))
    project.texts.keepOnly(await neededTexts(plan, project, written))
  }
  return written
}

/** Returns the hashes of texts that merges with this lock need, and with the former one after `undo`. */
async function neededTexts(
  { generated, lock }: ProjectPlan,
  { lock: former, tree }: OpenProject,
  written: readonly FileChange[],
): Promise<ReadonlySet<string>> {
  const parts = [...lock.values(), ...former.values()]
    .flatMap(({ model, properties, source }) => [model, properties, source])
    .filter((part) => part !== undefined)
  const present = await Promise.all(
    [...new Set(parts.map(({ path }) => path))].map((path) => readText(tree, path)),
  )
  const texts = [...generated, ...present, ...written.flatMap(({ after, before }) => [after, before])]
  return new Set([
    ...parts.map(({ sha256 }) => sha256),
    ...texts.filter((text) => text !== undefined).map(hashText),
  ])
}

/** Returns the writes of a plan, including the git rule beside the first lock. */
export async function changesOf(
  plan: Pick<ProjectPlan, 'files' | 'lock'>,
  { lockText, root, tree }: OpenProject,
): Promise<readonly FileChange[]> {
  const attributes =
    repositoryOf(root) === undefined ? undefined : { text: await readText(tree, ATTRIBUTES_FILE) }
  return plannedChanges(plan, { lockText, ...(attributes && { attributes }) })
}

/**
 * @param remedy The way to resolve them.
 * @throws {StagecraftError} INVALID_REQUEST if there are any.
 */
export function refuseConflicts(
  paths: readonly string[],
  remedy = 'resolve by hand, or with apply --conflict',
): void {
  if (paths.length === 0) return
  const files = paths.length === 1 ? '1 file is' : `${paths.length} files are`
  throw refusal(`${files} in conflict; ${remedy}, or write the others with apply --partial`, paths)
}

/** Uncommitted work could not be separated from the text that is merged into it. */
function refuseDirty(root: string, paths: readonly string[]): void {
  if (paths.length === 0 || repositoryOf(root) === undefined) return
  const dirty = gitStatus(root, paths)
  if (dirty.length > 0)
    throw refusal('these files have uncommitted changes; commit them, or use apply --allow-dirty', dirty)
}

/** Returns the paths that git tracks and that differ from the last commit. */
function gitStatus(root: string, paths: readonly string[]): readonly string[] {
  try {
    const text = execFileSync(
      'git',
      ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=no', '--', ...paths],
      {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    return text.split('\0').flatMap((line) => (/^[ MA][MD]|^[MA]/.test(line) ? line.slice(3) : []))
  } catch {
    return [] // Without git there is nothing to compare with.
  }
}

function refusal(what: string, files: readonly string[]): StagecraftError {
  const shown = files.slice(0, 10).map((path) => `\n  ${path}`)
  const more = files.length > 10 ? `\n  and ${files.length - 10} more` : ''
  return new StagecraftError('INVALID_REQUEST', `nothing was written: ${what}:${shown.join('')}${more}`, {
    details: { files },
  })
}
