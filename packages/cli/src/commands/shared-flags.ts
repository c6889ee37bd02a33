import { openCatalog, type OpenCatalogOptions } from '@stagecraft/catalogs'
import { type Catalog, type Config, type DialectName, StagecraftError } from '@stagecraft/spec'
import { loadConfig } from '../files/load-config.ts'
import { type CatalogChoiceFlags, chooseCatalog } from './choose-catalog.ts'
import { noteStaleArtifacts } from './stale-artifacts.ts'
import { Interrupted } from '../terminal/finish.ts'
import { onSignal } from '../terminal/on-signal.ts'
import { printCatalogWarnings } from '../terminal/report.ts'

export interface CatalogFlags extends CatalogChoiceFlags {
  readonly config?: string
  /** The dialect of the output. */
  readonly dialect?: DialectName
}

/** The result of opening a catalog, with which most commands begin. */
export interface Opened {
  readonly catalog: Catalog
  /** The string that the catalog was opened by. */
  readonly catalogText: string
  /** The schema that dbt builds in, where the catalog is that of a profile. */
  readonly targetSchema: string | undefined
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
  const { addresses, targetSchema } = await chooseCatalog(flags, config)
  const interruption = new AbortController()
  const off = interruptible ? onSignal(['SIGINT'], () => interruption.abort(new Interrupted())) : undefined
  const { signal } = interruption
  let catalog: Catalog | undefined
  // what is being read of a warehouse costs there until it ends
  signal.addEventListener('abort', () => catalog?.cancel?.())
  try {
    const options = { signal, dialect: flags.dialect ?? config.dialect }
    const opened = await openFirst(addresses, options)
    catalog = opened.catalog
    await noteStaleArtifacts(opened.catalogText)
    signal.throwIfAborted()
    const { warnings = [] } = catalog
    const result = await work({ ...opened, targetSchema, config, configFolder: folder, signal })
    printCatalogWarnings(catalog, warnings) // some warehouses tell them only when their tables are read
    return result
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    off?.()
    await catalog?.close()
  }
}

/** Opens the first address that the server takes: the next one is tried when the server has no TLS, or wants it. */
async function openFirst(
  [address = '', ...others]: readonly string[],
  options: OpenCatalogOptions,
): Promise<Pick<Opened, 'catalog' | 'catalogText'>> {
  try {
    return { catalog: await openCatalog(address, options), catalogText: address }
  } catch (error) {
    if (others.length === 0 || !isAboutEncryption(error)) throw error
    return openFirst(others, options)
  }
}

function isAboutEncryption(error: unknown): boolean {
  return (
    error instanceof StagecraftError &&
    error.code === 'CONNECTION_FAILED' &&
    /\b(?:SSL|TLS|sslmode)\b/i.test(error.message)
  )
}
