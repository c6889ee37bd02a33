import { createEngine, type Engine, type GenerateContext } from '@stagecraft/core'
import type {
  Backend,
  Config,
  DialectName,
  GenerationOptions,
  LlmOptions,
  PresetName,
  Project,
} from '@stagecraft/spec'
import { type BackendChoice, type BackendFlags, chooseBackend } from '../backend/choose-backend.ts'
import { findProject } from '../files/find-project.ts'
import { loadUserTemplates } from '../files/load-user-templates.ts'
import { projectOfCatalog } from './dbt-artifacts.ts'
import type { CatalogFlags, Opened } from './shared-flags.ts'

export interface EngineFlags extends CatalogFlags, BackendFlags {
  /** The dialect for tables from a catalog without one. */
  readonly schema?: string
  readonly dbtVersion?: string
  readonly preset?: PresetName
}

export interface OpenEngineOptions {
  /** The output folder. The generated code fits the dbt project around it. */
  readonly folder: string
  /** The default options of a request. Default: those of the engine. */
  readonly defaults?: GenerationOptions
  /** The surrounding dbt project, if it was already read. Its style matters only to a language model. */
  readonly known?: Project | undefined
}

/** The context of generation, from flags and configuration. */
export interface OpenContext extends Omit<GenerateContext, 'dialect'> {
  readonly dialect?: DialectName
  readonly config: Config
  /** A language model and its settings; undefined to use rules only. */
  readonly llm?: LlmOptions
}

/** The parts of an open catalog that affect generation. */
type Opening = Pick<Opened, 'config' | 'configFolder'> & Partial<Pick<Opened, 'catalog' | 'catalogText'>>

/** Reads the inputs of generation: the surrounding project, templates, the backend. */
export async function openContext(
  flags: EngineFlags,
  { catalog, catalogText, config, configFolder }: Opening,
  { defaults, folder, known }: OpenEngineOptions,
): Promise<OpenContext> {
  const merged: Config = {
    ...config,
    ...(flags.preset && { preset: flags.preset }),
    ...(flags.dbtVersion !== undefined && { dbtVersion: flags.dbtVersion }),
    ...(flags.dialect && { dialect: flags.dialect }),
    ...(flags.schema !== undefined && { defaultSchema: flags.schema }),
  }
  const dialect = merged.dialect ?? catalog?.dialect
  const place = { folder: configFolder, environment: process.env }
  const templates = dialect && (await loadUserTemplates(merged, { dialect, ...place }))
  const choice = chooseBackend(flags, config.backend)
  const backend = flags.showPrompt ? undefined : await openChosen(choice, flags, configFolder)
  const project = await projectFor(backend ? undefined : known, folder, catalogText)
  return {
    config: merged,
    ...(dialect && { dialect }),
    ...(defaults && { defaults }),
    ...(project && { project }),
    ...(templates && { templates }),
    ...(backend && { llm: { ...choice.settings, backend } }),
  }
}

/** Creates the engine over an open catalog from flags and configuration. */
export async function openEngine(
  flags: EngineFlags,
  opened: Opened,
  options: OpenEngineOptions,
): Promise<Engine> {
  const { dialect: _, ...context } = await openContext(flags, opened, options)
  return createEngine({ catalog: opened.catalog, ...context })
}

/** Returns the project that the output goes into, otherwise the catalog's project, which knows the installed dbt. */
async function projectFor(
  known: Project | undefined,
  folder: string,
  catalogText: string | undefined,
): Promise<Project | undefined> {
  const project = known ?? (await findProject(folder))
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
