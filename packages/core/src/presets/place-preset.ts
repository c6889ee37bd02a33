import type { Project } from '@stagecraft/spec'
import type { DecidedNaming, Preset } from './preset.ts'

/** Returns a preset with its folders below the folders in which dbt looks for models and snapshots. */
export function placePreset(preset: Preset, project: Project | undefined): Preset {
  const { modelPaths = [], snapshotPaths = [] } = project ?? {}
  const inModels = (folder: string): string => placeFolder(folder, 'models', modelPaths)
  const { sourcesFolder, types } = preset.naming
  const { base, snapshot, staging } = types
  const naming: DecidedNaming = {
    ...preset.naming,
    sourcesFolder: inModels(sourcesFolder),
    types: {
      staging: { ...staging, folder: inModels(staging.folder) },
      base: { ...base, folder: inModels(base.folder) },
      snapshot: { ...snapshot, folder: placeFolder(snapshot.folder, 'snapshots', snapshotPaths) },
    },
  }
  return { ...preset, naming }
}

function placeFolder(folder: string, usual: string, paths: readonly string[]): string {
  const [first] = paths
  const isRead = paths.some((path) => path === '' || `${folder}/`.startsWith(`${path}/`))
  if (first === undefined || isRead || !folder.startsWith(`${usual}/`)) return folder
  return `${first}${folder.slice(usual.length)}`
}
