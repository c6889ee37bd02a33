import { StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import { type GitSettings, gitOf } from '../projects/git-settings.ts'
import { readProject } from '../projects/project-handlers.ts'
import type { Database, ProjectRow } from '../store/schema.ts'

export interface ProjectGit {
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
