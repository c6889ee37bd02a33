import type { GeneratedFile } from '@stagecraft/spec'
import type { GoneFiles } from '../git/push-options.ts'
import { printUnits } from '../generations/newest-files.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import type { Snapshot } from './push-snapshot.ts'

export interface FilesToPush {
  readonly settings: ProjectSettings
  /** True if only some units are asked for. */
  readonly isPartial: boolean
  /** Paths of the files pushed to the branch before. */
  readonly pushed: ReadonlySet<string>
  readonly signal: AbortSignal
}

export interface PushContents {
  readonly files: readonly GeneratedFile[]
  /** The files pushed to the branch before whose unit is gone. */
  readonly gone: GoneFiles
}

/**
 * The files of a push. Those of chosen units are printed together with the units whose models are in the branch already:
 * they share YAML files, from which the others would else be missing.
 *
 * @throws {StagecraftError} As `printUnits` does.
 */
export async function filesToPush(
  { paths, units }: Snapshot,
  { isPartial, pushed, settings, signal }: FilesToPush,
): Promise<PushContents> {
  if (!isPartial) {
    const files = await printUnits(units, settings, signal)
    const alive = new Set(files.map(({ path }) => path))
    return { files, gone: { paths: [...pushed].filter((path) => !alive.has(path)), of: 'all' } }
  }
  const asked = new Set(units.filter(({ isAsked }) => isAsked).map(({ unitId }) => unitId))
  const others = paths.filter(
    ({ path, unitId }) => path.endsWith('.sql') && pushed.has(path) && !asked.has(unitId),
  )
  const printed = new Set([...asked, ...others.map(({ unitId }) => unitId)])
  const all = await printUnits(
    units.filter(({ unitId }) => printed.has(unitId)),
    settings,
    signal,
  )
  const notAsked = new Set(others.map(({ path }) => path))
  const alive = new Set([...paths, ...all].map(({ path }) => path))
  return {
    files: all.filter(({ path }) => !notAsked.has(path)),
    gone: { paths: [...pushed].filter((path) => !alive.has(path)), of: 'sources' },
  }
}
