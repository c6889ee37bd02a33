import { publicTree } from '@stagecraft/assistant'
import { memoryTree, readText } from '@stagecraft/dbt'
import { redactSecrets, StagecraftError } from '@stagecraft/spec'
import { basename } from 'node:path/posix'
import pLimit from 'p-limit'
import type { ProjectFiles } from '../analyses/read-project-files.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf } from '../handler-types.ts'
import { readProject } from '../projects/project-handlers.ts'
import { placeOf, readProjectFiles } from './read-files.ts'

/** The projects that are kept; each may have 64 MB. */
const KEPT = 2

/** The repositories that are asked at once. */
const READ_AT_ONCE = 2

/** A larger file is none that a person wrote for dbt. */
const LARGEST_FILE = 2_000_000

interface Kept {
  readonly place: string
  readonly files: ProjectFiles
}

/** Answers with files of dbt projects, of those that the assistant reads. What was read last is kept while its branch stays. */
export function projectFileHandler(context: ServiceContext) {
  const kept: Kept[] = []
  const reading = pLimit(READ_AT_ONCE)
  const read = async (projectId: string, signal: AbortSignal): Promise<ProjectFiles> => {
    const project = await readProject(context.store.db, projectId)
    const place = placeOf(project)
    const index = kept.findIndex((one) => one.place === place)
    const files = await readProjectFiles(context, project, { known: kept[index]?.files, signal })
    if (index >= 0) kept.splice(index, 1)
    kept.unshift({ place, files })
    kept.splice(KEPT)
    return files
  }
  return async ({ caller: { projectId }, params: { path }, signal }: CallOf<'getProjectFile'>) => {
    const { files } = await reading(() => read(projectId, signal))
    const tree = publicTree(memoryTree(files))
    const bytes = await tree.read(path)
    if (bytes === undefined) throw StagecraftError.unknownId('file', path, 'path')
    if (bytes.length > LARGEST_FILE) throw tooLarge(bytes.length)
    const text = redactSecrets((await readText(tree, path)) ?? '')
    return { bytes: new TextEncoder().encode(text), fileName: basename(path) }
  }
}

function tooLarge(length: number): StagecraftError {
  return StagecraftError.invalid(
    { path: 'path', expected: `a file of at most ${LARGEST_FILE} bytes`, received: `${length}` },
    { details: { reason: 'too_large' } },
  )
}
