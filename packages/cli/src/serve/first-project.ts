import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addConnection, ensureFirstProject, type ServiceContext } from '@stagecraft/service'
import type { ServiceSettings } from '../service/service-settings.ts'

/**
 * Gives an empty store its first project: over the demo warehouse, where files may be read at all.
 *
 * @param showKey Is told the key of that project, unless it was chosen by whoever runs this. At once: what comes after it
 * can fail, and the key is nowhere else.
 */
export async function prepareFirstProject(
  { adminKey, allowLocalFiles, folder }: ServiceSettings,
  context: ServiceContext,
  showKey: (key: string) => void,
): Promise<void> {
  const name = allowLocalFiles ? 'Northlight Outfitters (demo)' : 'First project'
  const first = await ensureFirstProject({ name, key: adminKey }, context)
  if (!first) return
  const { key, project } = first
  if (adminKey === undefined) showKey(key.secret)
  if (allowLocalFiles) {
    const warehouse = join(folder, 'demo.duckdb')
    if (!existsSync(warehouse)) {
      const { buildWarehouse } = await import('@stagecraft/demo')
      await buildWarehouse(warehouse)
    }
    await addConnection(
      { projectId: project.id, name: 'demo warehouse', catalog: `duckdb:${warehouse}` },
      context,
    )
  }
}
