import { openCatalog, type OpenCatalogOptions } from '@stagecraft/catalogs'
import { type Catalog, type Config, type DialectName, StagecraftError } from '@stagecraft/spec'
import { loadConfig } from '../files/load-config.ts'
import { findDialect } from '../project/choose-dialect.ts'
import type { OpenProject } from '../project/open-project.ts'
import { type CatalogChoiceFlags, chooseCatalog } from './choose-catalog.ts'
import { noteStaleArtifacts } from './dbt-artifacts.ts'
import { Interrupted } from '../terminal/finish.ts'
import { onSignal } from '../terminal/on-signal.ts'
import { paint } from '../terminal/paint.ts'
import { printCatalogWarnings } from '../terminal/report.ts'

export interface CatalogFlags extends CatalogChoiceFlags {
  readonly config?: string
  /** The dialect of the output. */
  readonly dialect?: DialectName
}

/** An open catalog, with which most commands start. */
export interface Opened {
  readonly catalog: Catalog
  /** The text that the catalog was opened with. */
  readonly catalogText: string
  /** The schema that dbt builds in, if the catalog comes from a profile. */
  readonly targetSchema: string | undefined
  readonly config: Config
  /** The dialect of the output; undefined if nothing names one. */
  readonly dialect: DialectName | undefined
  /** The base folder of paths in the configuration. */
  readonly configFolder: string
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal
}

export interface WithCatalogOptions {
  /**
   * Stops the work at the next safe place on the first Ctrl-C, and at once on the second. If false, the work handles
   * Ctrl-C itself, and `signal` never aborts.
   *
   * @default true
   */
  readonly interruptible?: boolean
  /** The project that the command works in, which may name the dialect. @default none */
  readonly project?: OpenProject
}

/** Opens the catalog that flags or configuration name, runs the work, and always closes the catalog. */
export async function withCatalog<Result>(
  flags: CatalogFlags,
  work: (opened: Opened) => Promise<Result>,
  { interruptible = true, project }: WithCatalogOptions = {},
): Promise<Result> {
  const { config, folder } = await loadConfig(flags.config, flags.projectDir)
  const { addresses, targetSchema } = await chooseCatalog(flags, config)
  const interruption = new AbortController()
  const off = interruptible ? onSignal(['SIGINT'], () => interruption.abort(new Interrupted())) : undefined
  const { signal } = interruption
  let catalog: Catalog | undefined
  // A running query costs money until it ends.
  signal.addEventListener('abort', () => catalog?.cancel?.())
  try {
    const opened = await openFirst(addresses, { signal, dialect: findDialect({ flags, config, project }) })
    catalog = opened.catalog
    if (!flags.isAgain) await noteStaleArtifacts(opened.catalogText)
    signal.throwIfAborted()
    const { warnings = [] } = catalog
    const dialect = findDialect({ flags, config, project, catalog })
    const result = await work({ ...opened, targetSchema, config, dialect, configFolder: folder, signal })
    if (!flags.isAgain) printCatalogWarnings(catalog, warnings) // Some catalogs know them only after reading their tables.
    return result
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    off?.()
    await catalog?.close()
  }
}

/** The known facts about a warehouse, which may be out of reach. */
export type Sight = Pick<Opened, 'dialect'> & Partial<Pick<Opened, 'catalog' | 'signal'>>

/**
 * Runs work with the catalog. If no flag names one, and that of the dbt profile cannot be reached, the work runs
 * without a catalog.
 *
 * @param options.without The effect of a missing catalog, for a note.
 */
export async function withCatalogIfAny<Result>(
  flags: CatalogFlags,
  work: (sight: Sight) => Promise<Result>,
  { project, without }: { readonly project: OpenProject; readonly without: string },
): Promise<Result> {
  const { config } = await loadConfig(flags.config, project.root)
  const { catalog, dbtProfile, profilesDir, target } = flags
  const isNamed = [catalog, target, dbtProfile, profilesDir, config.catalog].some(
    (name) => name !== undefined,
  )
  try {
    return await withCatalog({ ...flags, projectDir: project.root }, work, { project })
  } catch (error) {
    if (isNamed || !(error instanceof StagecraftError)) throw error
    process.stderr.write(`${paint('cyan', 'note')} ${without}: ${error.message}\n`)
    return work({ dialect: findDialect({ flags, config, project }) })
  }
}

/** Opens the first working address: the next one is tried if the server lacks TLS, or requires it. */
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
