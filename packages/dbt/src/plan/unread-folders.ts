import type { Warning } from '@stagecraft/spec'
import { folderOf, isIn } from '../tree/paths.ts'
import type { ArrangedTables } from './arrange-tables.ts'

/** Warns of configured folders in which dbt does not look for models, snapshots or their properties. */
export function unreadFolders({ setup: { project }, tables }: ArrangedTables): readonly Warning[] {
  const { modelPaths = [], snapshotPaths = [] } = project ?? {}
  const unread = tables.flatMap(({ isSelected, wanted: { item, place } }) => {
    if (!isSelected || modelPaths.length === 0) return []
    const isSnapshot = item.request.type === 'snapshot' && snapshotPaths.length > 0
    const [key, paths] = isSnapshot ? ['snapshot-paths', snapshotPaths] : ['model-paths', modelPaths]
    const places = [
      { path: place.paths.model, read: paths },
      { path: place.paths.sourceYaml, read: [...modelPaths, ...snapshotPaths] },
    ]
    return places.flatMap(({ path, read }) =>
      isIn(path, read)
        ? []
        : `the folder ${folderOf(path)} in the configuration is outside of the ${key} of dbt_project.yml (${paths.join(', ')}), so dbt does not read it; change the folder under naming in stagecraft.yml, or add it to ${key}`,
    )
  })
  return [...new Set(unread)].map((message) => ({ code: 'CONFIG_NOT_USED', message }))
}
