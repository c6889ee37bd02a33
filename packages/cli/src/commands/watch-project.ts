import { dirname, resolve } from 'node:path'
import { findProjectRoot } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { loadConfig } from '../files/load-config.ts'
import { watchFiles, type WatchedFolder } from '../terminal/watch.ts'

export interface WatchFlags {
  readonly watch?: boolean
  readonly config?: string
  readonly catalog?: string
}

/** Runs a command now, and again after every save of the configuration, templates or project files. */
export async function watchProject(
  flags: WatchFlags & Readonly<Record<string, unknown>>,
  {
    folder,
    refused,
    work,
  }: {
    /** A folder in the project, or another one. */
    readonly folder: string
    /** Flags that cannot be combined with `--watch`. */
    readonly refused: readonly string[]
    readonly work: () => Promise<void>
  },
): Promise<void> {
  const wrong = refused.find((name) => flags[name] !== undefined && flags[name] !== false)
  if (wrong !== undefined) {
    const flag = `--${wrong.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    throw StagecraftError.invalid({ path: '--watch', expected: `--watch without ${flag}`, received: 'both' })
  }
  await watchFiles(await foldersOf(flags, folder), work)
}

/**
 * Watches the project with all its folders; outside a project, the folders of the configuration, its templates and a
 * file catalog.
 */
async function foldersOf({ catalog, config }: WatchFlags, folder: string): Promise<readonly WatchedFolder[]> {
  const root = await findProjectRoot(folder)
  const file = resolve(config ?? 'stagecraft.yml')
  const templates = await templatesOf(config)
  const local = catalog === undefined || catalog.includes('://') ? [] : [catalog.replace(/^\w+:|\?.*$/g, '')]
  const places = [file, ...templates, ...local.map((path) => resolve(path))].map((path) => dirname(path))
  const beside = [...new Set(places)].filter((place) => root === undefined || !isInside(place, root))
  return [
    ...(root === undefined ? [] : [{ path: root, isDeep: true }]),
    ...beside.map((path) => ({ path, isDeep: false })),
  ]
}

/** An invalid configuration is watched as well. */
async function templatesOf(path: string | undefined): Promise<readonly string[]> {
  try {
    const { config, folder } = await loadConfig(path)
    return Object.values(config.templates ?? {}).map((template) => resolve(folder, template))
  } catch (error) {
    if (error instanceof StagecraftError) return []
    throw error
  }
}

function isInside(place: string, root: string): boolean {
  return place === root || place.startsWith(`${root}/`)
}
