import type { ApiHandlers } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { newestFiles } from './newest-files.ts'
import { zipFiles } from './zip-files.ts'

export function getArchive(context: ServiceContext): ApiHandlers['getArchive'] {
  return async ({ caller: { projectId }, signal }) => {
    const { name } = await projectSettings(context.store.db, projectId)
    const bytes = await zipFiles(await newestFiles(context, { projectId, signal }))
    return { bytes, fileName: `${plainName(name)}.zip` }
  }
}

/** Returns a file name that every system accepts. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return plain === '' ? 'project' : plain
}
