import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { parseConfig } from '@stagecraft/core'
import { type Config, StagecraftError } from '@stagecraft/spec'
import { readIfThere } from './read-if-there.ts'

export interface LoadedConfig {
  readonly config: Config
  /** The base folder of its paths. */
  readonly folder: string
  /** The file; undefined without one. */
  readonly file: string | undefined
}

const FILE = 'stagecraft.yml'

/**
 * Reads the configuration.
 *
 * @param path The file that the user named. Default: `stagecraft.yml` in the current folder, or else in the dbt project.
 * @param from A folder in the dbt project.
 * @throws {StagecraftError} INVALID_REQUEST if a named file is missing, or the file is invalid.
 */
export async function loadConfig(path: string | undefined, from = '.'): Promise<LoadedConfig> {
  const file = path === undefined ? await findConfig(from) : resolve(path)
  const text = await readIfThere(file)
  if (text !== undefined) {
    const folder = dirname(file)
    const config = parseConfig(text, path ?? relative('', file))
    const isElsewhere = path === undefined && folder !== process.cwd()
    return { config: isElsewhere ? await withPlacedCatalog(config, folder) : config, folder, file }
  }
  if (path === undefined) return { config: {}, folder: process.cwd(), file: undefined }
  throw StagecraftError.invalid({
    path: '--config',
    expected: 'a file',
    received: `${path}, which does not exist`,
  })
}

async function findConfig(from: string): Promise<string> {
  const here = resolve(FILE)
  if ((await readIfThere(here)) !== undefined) return here
  const { findProjectRoot } = await import('@stagecraft/dbt')
  const root = await findProjectRoot(from)
  return root === undefined ? here : join(root, FILE)
}

/** Makes the path of a file catalog one from the folder of the configuration. */
async function withPlacedCatalog(config: Config, folder: string): Promise<Config> {
  const { catalog } = config
  if (catalog === undefined || catalog.startsWith('env:')) return config
  const { locateCatalog } = await import('@stagecraft/catalogs')
  const { isServer, target } = locateCatalog(catalog)
  if (isServer || isAbsolute(target)) return config
  return { ...config, catalog: catalog.replace(target, () => resolve(folder, target)) }
}
