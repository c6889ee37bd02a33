import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type FileChange,
  LOCK_FILE,
  printLock,
  type ProjectPlan,
  readText,
  writeChanges,
} from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import type { OpenProject } from './open-project.ts'
import { isChange } from './print-plan.ts'

export interface ApplyOptions {
  /** Writes the other files when some are in conflict. @default false */
  readonly partial?: boolean
  /** Changes files of a person that git knows and that are not committed. @default false */
  readonly allowDirty?: boolean
}

/**
 * Writes what is planned, all or nothing, the lock last.
 *
 * @throws {StagecraftError} INVALID_REQUEST when files are in conflict, are not committed, or changed since; then nothing is written.
 */
export async function applyPlan(
  plan: ProjectPlan,
  project: OpenProject,
  { allowDirty = false, partial = false }: ApplyOptions,
): Promise<readonly FileChange[]> {
  const conflicts = plan.files.filter(({ action }) => action === 'conflict').map(({ path }) => path)
  if (!partial) refuseConflicts(conflicts)
  const files = plan.files.filter((file) => isChange(file) && file.action !== 'conflict')
  if (!allowDirty)
    refuseDirty(
      project.root,
      files.filter(({ action }) => action === 'merge').map(({ path }) => path),
    )
  const lock = { path: LOCK_FILE, before: project.lockText, after: printLock(plan.lock) }
  const isEmpty = project.lockText === undefined && plan.lock.size === 0
  const changes = [...files, ...(await gitAttributes(project)), ...(isEmpty ? [] : [lock])]
  if (changes.some(({ after, before }) => after !== before)) project.texts.add(plan.generated)
  writeChanges(project.root, changes)
  return changes.filter(({ after, before }) => after !== before)
}

/** @throws {StagecraftError} INVALID_REQUEST when there are any. */
export function refuseConflicts(paths: readonly string[]): void {
  if (paths.length === 0) return
  const files = paths.length === 1 ? '1 file is' : `${paths.length} files are`
  throw refusal(
    `${files} in conflict; settle by hand, by --conflict, or write the others with --partial`,
    paths,
  )
}

/** Work of a person that is not committed could not be told from what is merged into it. */
function refuseDirty(root: string, paths: readonly string[]): void {
  if (paths.length === 0 || repositoryOf(root) === undefined) return
  const dirty = gitStatus(root, paths)
  if (dirty.length > 0)
    throw refusal('these files were changed and not committed; commit them, or use --allow-dirty', dirty)
}

/** Of the paths, those that git knows and that differ from its last commit. */
function gitStatus(root: string, paths: readonly string[]): readonly string[] {
  try {
    const text = execFileSync(
      'git',
      ['status', '--porcelain', '-z', '--untracked-files=no', '--', ...paths],
      {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    return text.split('\0').flatMap((line) => (/^[ MARC][MD]|^M/.test(line) ? line.slice(3) : []))
  } catch {
    return [] // without git there is nothing to compare with
  }
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryOf(above)
}

const MERGE_RULE = `${LOCK_FILE} merge=union\n`

/** Has git merge the locks of two branches line by line, from the first lock on. */
async function gitAttributes({ lockText, root, tree }: OpenProject): Promise<readonly FileChange[]> {
  if (lockText !== undefined || repositoryOf(root) === undefined) return []
  const path = '.gitattributes'
  const before = await readText(tree, path)
  if (before?.includes(LOCK_FILE)) return []
  const newline = before === undefined || before.endsWith('\n') ? '' : '\n'
  return [{ path, before, after: `${before ?? ''}${newline}${MERGE_RULE}` }]
}

function refusal(what: string, files: readonly string[]): StagecraftError {
  const shown = files.slice(0, 10).map((path) => `\n  ${path}`)
  const more = files.length > 10 ? `\n  and ${files.length - 10} more` : ''
  return new StagecraftError('INVALID_REQUEST', `nothing was written: ${what}:${shown.join('')}${more}`, {
    details: { files },
  })
}
