import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addConnection, ensureFirstProject, type ServiceContext } from '@stagecraft/service'
import type { ServiceSettings } from '../service/service-settings.ts'

/**
 * Gives an empty store its first project: over the demo warehouse, where files may be read at all.
 *
 * @returns The key of that project; undefined when there was one, or when the key was chosen by whoever runs this.
 */
export async function prepareFirstProject(
  { adminKey, allowLocalFiles, folder }: ServiceSettings,
  context: ServiceContext,
): Promise<string | undefined> {
  const name = allowLocalFiles ? 'Northlight Outfitters (demo)' : 'First project'
  const first = await ensureFirstProject({ name, key: adminKey }, context)
  if (!first) return undefined
  const { project } = first
  if (allowLocalFiles) {
    const warehouse = join(folder, 'demo.duckdb')
    if (!existsSync(warehouse)) {
      const { buildWarehouse } = await import('../demo/warehouse.ts')
      await buildWarehouse(warehouse)
    }
    await addConnection(
      { projectId: project.id, name: 'demo warehouse', catalog: `duckdb:${warehouse}` },
      context,
    )
  }
  return adminKey === undefined ? first.key.secret : undefined
}
