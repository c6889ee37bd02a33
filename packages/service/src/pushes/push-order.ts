import { StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { GitCredentials } from '../git/push-options.ts'
import type { Lease } from '../jobs/lease.ts'
import { gitOf, type GitSecret, type GitSettings } from '../projects/git-settings.ts'
import { readProject } from '../projects/project-handlers.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import type { Database, ProjectRow, PushRow } from '../store/schema.ts'
import { takeSnapshot } from './push-snapshot.ts'
import { unitIdsOf } from './to-push.ts'

/** The order of a push, with the settings of the time it was created; credentials are the current ones. */
export interface PushOrder {
  readonly git: GitSettings
  readonly settings: ProjectSettings
  readonly project: ProjectRow
}

/** @throws {StagecraftError} INVALID_REQUEST when the project has another repository by now, or none. */
export async function readOrder(
  row: PushRow,
  lease: Lease<'pushes'>,
  { store }: ServiceContext,
): Promise<PushOrder> {
  const { id: pushId, project_id: projectId } = row
  const now = await readGit(store.db, projectId)
  if (row.git === null || row.settings === null) {
    const settings = await projectSettings(store.db, projectId)
    await lease.write(async (tx) => {
      await takeSnapshot(tx.db, { pushId, projectId, unitIds: unitIdsOf(row) })
      return { git: JSON.stringify(now.git), settings: JSON.stringify(settings) }
    })
    return { ...now, settings }
  }
  const git = JSON.parse(row.git) as GitSettings
  if (git.remote !== now.git.remote) {
    throw StagecraftError.invalid(
      [{ path: 'git.remote', expected: 'the repository that the push was for', received: 'another' }],
      {
        suggestion: 'push again',
      },
    )
  }
  return { git, settings: JSON.parse(row.settings) as ProjectSettings, project: now.project }
}

interface ProjectGit {
  readonly git: GitSettings
  readonly project: ProjectRow
}

/** @throws {StagecraftError} INVALID_REQUEST for a project that has no repository. */
export async function readGit(db: Kysely<Database>, projectId: string): Promise<ProjectGit> {
  const project = await readProject(db, projectId)
  const git = gitOf(project)
  if (git) return { git, project }
  const suggestion = `set it first: PATCH /v1/projects/${projectId} with {"git": {"remote": "https://…", "token": "…"}}`
  throw StagecraftError.invalid(
    [{ path: 'git', expected: 'a project with a Git repository', received: 'none' }],
    {
      suggestion,
    },
  )
}

/** Returns the credentials of the remote: a token over https, a key over ssh. A project has one of them. */
export function pushCredentials({
  knownHosts,
  privateKey,
  token,
  username,
}: GitSecret): GitCredentials | undefined {
  if (token !== undefined) return { token, ...(username !== undefined && { username }) }
  if (privateKey === undefined) return undefined
  return { privateKey, ...(knownHosts !== undefined && { knownHosts }) }
}
