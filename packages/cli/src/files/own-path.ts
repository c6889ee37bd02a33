import { delimiter, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { repositoryOf } from './choose-project.ts'
import { realPlace } from './write-beside.ts'

export interface OwnPathOptions {
  /** The place in the configuration: `templates.staging.sql`. */
  readonly name: string
  /** The base folder: that of the configuration. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const VARIABLE = 'STAGECRAFT_CONFIG_FOLDERS'

/**
 * Resolves a path of a configuration file, which may be someone else's. The path must not leave its repository, even
 * through a link, because templates print what they read, and recordings are written. The user allows other folders in
 * `STAGECRAFT_CONFIG_FOLDERS`, separated as in `PATH`.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a path outside.
 */
export function ownPath(path: string, { environment, folder, name }: OwnPathOptions): string {
  const place = resolve(folder, path)
  const target = realPlace(place)
  const root = realPlace(repositoryOf(resolve(folder)) ?? resolve(folder))
  const listed = (environment[VARIABLE] ?? '').split(delimiter).filter(Boolean)
  const folders = [root, ...listed.map((other) => realPlace(resolve(other)))]
  if (folders.some((other) => isInside(target, other))) return place
  const expected = `a path inside of ${root}`
  const received = target === place ? path : `${path}, which leads to ${target}`
  const suggestion = `move it there, or allow its folder: ${VARIABLE}=${dirname(target)}`
  throw new StagecraftError(
    'INVALID_REQUEST',
    `${name}: expected ${expected}, got ${received}; ${suggestion}`,
    {
      details: { faults: [{ path: name, expected, received }], suggestion },
    },
  )
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}
