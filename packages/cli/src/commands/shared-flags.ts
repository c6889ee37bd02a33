import { catalogPlace, openCatalog } from '@stagecraft/catalogs'
import { type Catalog, type Config, type DialectName, StagecraftError } from '@stagecraft/spec'
import { loadConfig } from '../files/load-config.ts'
import { assertOwnServer } from './own-server.ts'
import { Interrupted } from '../terminal/finish.ts'
import { onSignal } from '../terminal/on-signal.ts'

export interface CatalogFlags {
  readonly catalog?: string
  readonly config?: string
  /** The dialect of the output. */
  readonly dialect?: DialectName
}

/** The result of opening a catalog, with which most commands begin. */
export interface Opened {
  readonly catalog: Catalog
  /** The string that the catalog was opened by. */
  readonly catalogText: string
  readonly config: Config
  /** The folder that paths in the configuration are relative to. */
  readonly configFolder: string
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal
}

export interface WithCatalogOptions {
  /**
   * A first Ctrl-C stops the work at the next safe place, a second one at once. Switched off, it means to the work
   * what the work makes of it, and `signal` never aborts.
   *
   * @default true
   */
  readonly interruptible?: boolean
}

/** Opens the catalog that flags or configuration name, runs the work, and closes the catalog whatever comes of it. */
export async function withCatalog<Result>(
  flags: CatalogFlags,
  work: (opened: Opened) => Promise<Result>,
  { interruptible = true }: WithCatalogOptions = {},
): Promise<Result> {
  const { config, folder } = await loadConfig(flags.config)
  const catalogText = chooseCatalog(flags.catalog, config)
  const interruption = new AbortController()
  const off = interruptible ? onSignal(['SIGINT'], () => interruption.abort(new Interrupted())) : undefined
  const { signal } = interruption
  let catalog: Catalog | undefined
  try {
    catalog = await openCatalog(catalogText, { signal, dialect: flags.dialect ?? config.dialect })
    signal.throwIfAborted()
    return await work({ catalog, catalogText, config, configFolder: folder, signal })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    off?.()
    await catalog?.close()
  }
}

/** A catalog in the configuration may be a secret of the environment: `env:WAREHOUSE_URL`. */
function chooseCatalog(flag: string | undefined, config: Config): string {
  const text = flag ?? config.catalog
  if (text === undefined) {
    const expected = 'a catalog: --catalog <string>, or catalog: in stagecraft.yml'
    throw new StagecraftError('INVALID_REQUEST', `expected ${expected}, got neither`, {
      details: { faults: [{ path: 'catalog', expected, received: 'nothing' }] },
    })
  }
  const variable = /^env:(\w+)$/.exec(text)?.[1]
  if (variable === undefined) {
    if (flag === undefined) assertOwnServer(text, process.env)
    return text
  }
  const value = process.env[variable]
  if (value) {
    assertAddress(value, variable)
    return value
  }
  throw new StagecraftError(
    'INVALID_REQUEST',
    `catalog: expected a catalog in the variable ${variable}, which is not set`,
    {
      details: {
        faults: [{ path: 'catalog', expected: `the environment variable ${variable}`, received: 'nothing' }],
      },
    },
  )
}

/** @throws {StagecraftError} INVALID_REQUEST that names the variable: what it holds may be a secret, and is not repeated. */
function assertAddress(value: string, variable: string): void {
  try {
    catalogPlace(value)
  } catch (error) {
    const told = error instanceof StagecraftError ? error.details?.faults?.[0]?.received : undefined
    if (told !== undefined && !told.startsWith('"')) throw error // repeats nothing, and knows more
    const expected = 'an address such as postgres://…, or a path such as columns.yml'
    const received = 'another text'
    throw new StagecraftError(
      'INVALID_REQUEST',
      `catalog: expected in the variable ${variable} ${expected}, got ${received}`,
      { details: { faults: [{ path: 'catalog', expected, received }] } },
    )
  }
}
