import { dirname, resolve } from 'node:path'
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

/**
 * Reads the configuration.
 *
 * @param path The file that the user named. Default: `stagecraft.yml` in the current folder, if it exists.
 * @throws {StagecraftError} INVALID_REQUEST if a named file is missing, or the file is invalid.
 */
export async function loadConfig(path: string | undefined): Promise<LoadedConfig> {
  const file = resolve(path ?? 'stagecraft.yml')
  const text = await readIfThere(file)
  if (text !== undefined)
    return { config: parseConfig(text, path ?? 'stagecraft.yml'), folder: dirname(file), file }
  if (path === undefined) return { config: {}, folder: process.cwd(), file: undefined }
  throw new StagecraftError(
    'INVALID_REQUEST',
    `--config: expected a file, got ${path}, which does not exist`,
    {
      details: { faults: [{ path: 'config', expected: 'a file', received: path }] },
    },
  )
}
