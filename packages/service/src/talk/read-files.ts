import { StagecraftError } from '@stagecraft/spec'
import { type ProjectFiles, readBranchProject } from '../analyses/read-project-files.ts'
import type { ServiceContext } from '../context.ts'
import { newestFiles } from '../generations/newest-files.ts'
import { pushPolicy } from '../projects/git-faults.ts'
import { gitOf, gitSecretOf } from '../projects/git-settings.ts'
import { pushCredentials } from '../pushes/pushes.ts'
import type { ProjectRow } from '../store/schema.ts'

/** Returns the origin of the files of a project. Equal texts mean the same origin. */
export function placeOf(project: ProjectRow): string {
  const git = gitOf(project)
  return JSON.stringify([project.id, git?.remote, git?.branch, git?.path])
}

interface ReadOptions {
  /** The files that were read before from the same origin. They are returned while the branch has the same commit. */
  readonly known: ProjectFiles | undefined
  readonly signal: AbortSignal
}

/**
 * Reads the dbt project of the branch or, without a repository, the newest generated files of the units.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project without a repository and without generated files, and for a
 * repository that
 * cannot be read; CONNECTION_FAILED when it cannot be reached.
 */
export async function readProjectFiles(
  context: ServiceContext,
  project: ProjectRow,
  { known, signal }: ReadOptions,
): Promise<ProjectFiles> {
  const git = gitOf(project)
  if (!git) return await generatedFiles(context, project.id, signal)
  const credentials = pushCredentials(gitSecretOf(project, context.cipher))
  return await readBranchProject({
    remote: git.remote,
    branch: git.branch,
    path: git.path,
    ...(credentials && { credentials }),
    policy: pushPolicy(context.settings),
    signal,
    folder: context.settings.folder,
    ...(known && { known }),
  })
}

/** Returns the newest generated files of the units as a project. */
async function generatedFiles(
  context: ServiceContext,
  projectId: string,
  signal: AbortSignal,
): Promise<ProjectFiles> {
  try {
    const files = await newestFiles(context, { projectId, signal })
    const texts = files.map(({ content, path }) => [path, content] as const)
    const all = [['dbt_project.yml', 'name: generated\n'], ...texts] as const
    const encoder = new TextEncoder()
    const bytes = Object.fromEntries(all.map(([path, text]) => [path, encoder.encode(text)]))
    return { files: bytes, folder: '', commit: undefined }
  } catch (error) {
    if (!(error instanceof StagecraftError) || error.code !== 'INVALID_REQUEST') throw error
    const suggestion = `set a repository: PATCH /v1/projects/${projectId} with {"git": {"remote": "https://…"}}; or generate units`
    throw StagecraftError.invalid(
      { path: 'git', expected: 'a project with a Git repository or generated units', received: 'neither' },
      { suggestion },
    )
  }
}
