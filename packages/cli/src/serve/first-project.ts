import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addConnection, ensureFirstProject, type ServiceContext } from '@stagecraft/service'
import { StagecraftError } from '@stagecraft/spec'
import type { ServiceSettings } from '../service/service-settings.ts'

/**
 * Gives an empty store its first project: with the demo warehouse, where files may be read at all and DuckDB is installed.
 *
 * @param showKey Is told the key of that project, unless it was chosen by whoever runs this. At once: what comes after it
 * can fail, and the key is nowhere else.
 */
export async function prepareFirstProject(
  { adminKey, allowLocalFiles, folder }: ServiceSettings,
  context: ServiceContext,
  showKey: (key: string) => void,
): Promise<void> {
  const first = await ensureFirstProject({ name: 'First project', key: adminKey }, context)
  if (!first) return
  const { key, project } = first
  if (adminKey === undefined) showKey(key.secret)
  const warehouse = join(folder, 'demo.duckdb')
  if (!allowLocalFiles || !(await hasDemo(warehouse, context))) return
  await addConnection(
    { projectId: project.id, name: 'demo warehouse', catalog: `duckdb:${warehouse}` },
    context,
  )
}

/** Builds the demo warehouse unless it is there; without its driver the service is of use all the same. */
async function hasDemo(warehouse: string, { logger }: ServiceContext): Promise<boolean> {
  if (existsSync(warehouse)) return true
  const { buildWarehouse } = await import('@stagecraft/demo')
  try {
    await buildWarehouse(warehouse)
    return true
  } catch (error) {
    if (!(error instanceof StagecraftError)) throw error
    logger.warn({}, `no demo warehouse: ${error.message}`)
    return false
  }
}
