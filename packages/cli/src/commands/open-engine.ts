import { createEngine, type Engine, type GenerateContext } from '@stagecraft/core'
import {
  type Backend,
  type Config,
  type DialectName,
  type GenerationOptions,
  type LlmOptions,
  type PresetName,
  type Project,
  StagecraftError,
} from '@stagecraft/spec'
import { type BackendChoice, type BackendFlags, chooseBackend } from '../backend/choose-backend.ts'
import { loadConfig } from '../files/load-config.ts'
import { loadUserTemplates } from '../files/load-user-templates.ts'
import { findDialect } from '../project/choose-dialect.ts'
import { knownProject, type OpenProject } from '../project/open-project.ts'
import { projectOfCatalog } from './dbt-artifacts.ts'
import type { CatalogFlags, Opened } from './shared-flags.ts'

export interface EngineFlags extends CatalogFlags, BackendFlags {
  /** The schema of tables that the catalog names without one. */
  readonly schema?: string
  readonly dbtVersion?: string
  readonly preset?: PresetName
}

export interface OpenEngineOptions {
  /** The dbt project that generated code fits. */
  readonly project: OpenProject
  /** The default options of a request. @default everything that is known is generated */
  readonly defaults?: GenerationOptions
}

const EVERYTHING: GenerationOptions = { addTests: true, addDocs: true }

/** The context of generation, from flags and configuration. */
export interface OpenContext extends Omit<GenerateContext, 'dialect'> {
  readonly dialect?: DialectName
  readonly config: Config
  /** A language model and its settings; undefined to use rules only. */
  readonly llm?: LlmOptions
}

/** The parts of an open catalog that affect generation. */
type Opening = Pick<Opened, 'config' | 'configFolder' | 'dialect'> & Partial<Pick<Opened, 'catalogText'>>

/** Reads the inputs of generation: the surrounding project, templates, the backend. */
export async function openContext(
  flags: Omit<EngineFlags, 'catalog'>,
  { catalogText, config, configFolder, dialect }: Opening,
  { defaults = EVERYTHING, project: around }: OpenEngineOptions,
): Promise<OpenContext> {
  const merged: Config = {
    ...config,
    ...(flags.preset && { preset: flags.preset }),
    ...(flags.dbtVersion !== undefined && { dbtVersion: flags.dbtVersion }),
    ...(flags.schema !== undefined && { defaultSchema: flags.schema }),
  }
  const place = { folder: configFolder, environment: process.env }
  const templates = dialect && (await loadUserTemplates(merged, { dialect, ...place }))
  const choice = chooseBackend(flags, config.backend)
  const backend = flags.showPrompt ? undefined : await openChosen(choice, flags, configFolder)
  const project = await projectFor(around, catalogText)
  return {
    config: merged,
    ...(dialect && { dialect }),
    defaults,
    ...(project && { project }),
    ...(templates && { templates }),
    ...(backend && { llm: { ...choice.settings, backend } }),
  }
}

/**
 * Creates the engine over an open catalog from flags and configuration.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project with unreadable files: dbt cannot read it either, and their
 * content would be missing.
 */
export async function openEngine(
  flags: EngineFlags,
  opened: Opened,
  options: OpenEngineOptions,
): Promise<Engine> {
  const faults = options.project.index?.faults ?? []
  if (faults.length > 0)
    throw StagecraftError.invalid(
      faults.map(({ line, path, reason }) => ({ path, line, expected: 'valid YAML', received: reason })),
      { subject: 'the dbt project' },
    )
  return createEngine({ catalog: opened.catalog, ...(await openContext(flags, opened, options)) })
}

/** Reads the inputs of generation without a warehouse and without a language model. */
export async function openOffline(
  flags: Omit<EngineFlags, 'catalog'>,
  project: OpenProject,
): Promise<OpenContext> {
  const { config, folder: configFolder } = await loadConfig(flags.config, project.root)
  const dialect = findDialect({ flags, config, project })
  return openContext({ ...flags, backend: false }, { config, configFolder, dialect }, { project })
}

/** Returns the project that the output goes into, otherwise the catalog's project, which knows the installed dbt. */
async function projectFor(
  around: OpenProject,
  catalogText: string | undefined,
): Promise<Project | undefined> {
  const project = await knownProject(around)
  if (project?.installedDbtVersion !== undefined || catalogText === undefined) return project
  const ofCatalog = await projectOfCatalog(catalogText)
  return project && ofCatalog
    ? { ...project, installedDbtVersion: ofCatalog.installedDbtVersion }
    : (project ?? ofCatalog)
}

/** The package with the backends is loaded on demand. */
async function openChosen(
  { backend }: BackendChoice,
  { refresh = false }: BackendFlags,
  folder: string,
): Promise<Backend | undefined> {
  if (!backend) return undefined
  const { openBackend } = await import('../backend/open-backend.ts')
  return openBackend(backend, { folder, refresh, environment: process.env })
}
