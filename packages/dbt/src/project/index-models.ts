import {
  type ModelReference,
  type NamedBlock,
  readTemplate,
  type SourceReference,
  type TemplateFacts,
} from '../jinja/read-template.ts'
import { isIn, stem } from '../tree/paths.ts'
import { enforcesContract, folderValues } from './folder-values.ts'
import type { ReadFile } from './facts-cache.ts'
import type { Documented, IndexedModel } from './project-index.ts'
import type { EntryFacts, ModelFacts } from './properties-facts.ts'
import type { PackageMacros } from './package-macros.ts'
import type { ProjectSettings } from './settings.ts'

/** Returns the models, seeds and snapshots of a project, with their inputs. */
export function indexModels(
  files: readonly ReadFile[],
  settings: ProjectSettings,
  packageMacros: PackageMacros = new Map(),
): readonly IndexedModel[] {
  const known = {
    settings,
    contracts: contractsIn(files),
    described: describedBy(files),
    macros: macrosOf(files),
    packageMacros,
    variables: templatesOf(settings.vars),
    versions: versionsOf(files),
  }
  return files.flatMap((file) => [
    ...modelsOf(file, settings, known),
    ...snapshotsOf(file, known),
    ...snapshotsInYaml(file, settings, known),
    ...(isSeed(file, settings) ? [toModel(file, { ...known, kind: 'seed', name: stem(file.path) })] : []),
  ])
}

interface Known {
  readonly settings: ProjectSettings
  /** Models whose properties enforce a contract or not, by name. */
  readonly contracts: ReadonlyMap<string, boolean>
  /** The properties, by kind and name. */
  readonly described: ReadonlyMap<string, Documented>
  readonly macros: ReadonlyMap<string, NamedBlock>
  readonly packageMacros: PackageMacros
  /** The project variables with Jinja. */
  readonly variables: ReadonlyMap<string, TemplateFacts>
  /** Versioned models by the names of their files. */
  readonly versions: ReadonlyMap<string, { readonly name: string; readonly version: string }>
}

const KINDS = { models: 'model', seeds: 'seed', snapshots: 'snapshot' } as const

function describedBy(files: readonly ReadFile[]): ReadonlyMap<string, Documented> {
  const found = files.flatMap(({ facts: { properties }, path }) =>
    (['models', 'seeds', 'snapshots'] as const).flatMap((list) =>
      (properties?.[list] ?? []).map(
        (entry: EntryFacts) => [`${KINDS[list]} ${entry.name}`, toDocumented(entry, path)] as const,
      ),
    ),
  )
  return new Map(found)
}

function contractsIn(files: readonly ReadFile[]): Known['contracts'] {
  const entries = files.flatMap(({ facts: { properties } }) => properties?.models ?? [])
  return new Map(
    entries.flatMap(({ config = {}, name }) => {
      const isEnforced = enforcesContract(config['contract'])
      return isEnforced === undefined ? [] : [[name, isEnforced] as const]
    }),
  )
}

function isContracted(
  { name, path }: { readonly name: string; readonly path: string },
  config: TemplateFacts['config'],
  { contracts, settings }: Pick<Known, 'contracts' | 'settings'>,
): boolean {
  const inFolder = folderValues({ path }, 'contract', settings).map(enforcesContract)
  const found = enforcesContract(config['contract']) ?? contracts.get(name)
  return found ?? inFolder.findLast((one) => one !== undefined) ?? false
}

function toDocumented({ columns, description, line }: EntryFacts, path: string): Documented {
  return { path, line, description, columns }
}

function macrosOf(files: readonly ReadFile[]): ReadonlyMap<string, NamedBlock> {
  const blocks = files.flatMap(({ facts }) => facts.blocks ?? []).filter(({ kind }) => kind === 'macro')
  return new Map(blocks.map((block) => [block.name, block]))
}

/** Reads the variables with Jinja. dbt renders a value where `var()` is called, so a `ref` in it is read there. */
function templatesOf(vars: ProjectSettings['vars']): Known['variables'] {
  return new Map(
    Object.entries(vars).flatMap(([name, value]) =>
      typeof value === 'string' && value.includes('{{') ? [[name, readTemplate(value)] as const] : [],
    ),
  )
}

/** `orders_v2.sql` is version 2 of `orders`, unless its properties name another file. */
function versionsOf(files: readonly ReadFile[]): Known['versions'] {
  const models = files.flatMap(({ facts }) => facts.properties?.models ?? [])
  const found = models.flatMap(({ name, versions = [] }: ModelFacts) =>
    versions.flatMap(({ definedIn, version }) => {
      const entry = { name, version }
      return definedIn === undefined
        ? [[`${name}_v${version}`, entry] as const, [`${name}.v${version}`, entry] as const]
        : [[definedIn, entry] as const]
    }),
  )
  return new Map(found)
}

function modelsOf(file: ReadFile, { modelPaths }: ProjectSettings, known: Known): readonly IndexedModel[] {
  const isModel = file.facts.template !== undefined && isIn(file.path, modelPaths) && !hasSnapshots(file)
  if (!isModel) return []
  const name = stem(file.path)
  const versioned = known.versions.get(name)
  return [
    toModel(file, { ...known, kind: 'model', name: versioned?.name ?? name, version: versioned?.version }),
  ]
}

function hasSnapshots({ facts }: ReadFile): boolean {
  return (facts.blocks ?? []).some(({ kind }) => kind === 'snapshot')
}

function snapshotsOf(file: ReadFile, known: Known): readonly IndexedModel[] {
  const blocks = (file.facts.blocks ?? []).filter(({ kind }) => kind === 'snapshot')
  return blocks.map(({ facts, name }) => toModel(file, { ...known, kind: 'snapshot', name, template: facts }))
}

/** A snapshot with a relation needs no file of SQL. */
function snapshotsInYaml(
  file: ReadFile,
  { modelPaths, snapshotPaths }: ProjectSettings,
  known: Known,
): readonly IndexedModel[] {
  if (!isIn(file.path, [...snapshotPaths, ...modelPaths])) return []
  return (file.facts.properties?.snapshots ?? []).flatMap(({ name, relation }) => {
    if (relation === undefined) return []
    const template = readTemplate(relation.includes('{{') ? relation : `{{ ${relation} }}`)
    return [{ ...toModel(file, { ...known, kind: 'snapshot', name, template }), relation }]
  })
}

function isSeed({ path }: ReadFile, { seedPaths }: ProjectSettings): boolean {
  return path.endsWith('.csv') && isIn(path, seedPaths)
}

interface ModelOptions extends Known {
  readonly kind: IndexedModel['kind']
  readonly name: string
  readonly version?: string | undefined
  /** The template to read. @default the whole file */
  readonly template?: TemplateFacts
}

function toModel(file: ReadFile, options: ModelOptions): IndexedModel {
  const template = options.template ?? file.facts.template ?? NOTHING
  const all = withMacros(template, options)
  const documented = options.described.get(`${options.kind} ${options.name}`)
  return {
    kind: options.kind,
    name: options.name,
    version: options.version,
    path: file.path,
    reads: all.sources,
    models: all.models,
    isDynamic: all.isDynamic,
    config: template.config,
    ...(options.kind === 'model' &&
      isContracted({ name: options.name, path: file.path }, template.config, options) && {
        hasContract: true,
      }),
    propertiesPath: documented?.path,
    documented,
  }
}

const NOTHING: TemplateFacts = { models: [], sources: [], isDynamic: false, calls: [], config: {} }

/**
 * Returns the references of a template with those of the project's macros that it calls, directly or
 * indirectly, and those in the variables of the project.
 */
function withMacros(
  template: TemplateFacts,
  { macros, packageMacros, variables }: Pick<Known, 'macros' | 'packageMacros' | 'variables'>,
): Pick<TemplateFacts, 'models' | 'sources' | 'isDynamic'> {
  const reached = new Set<NamedBlock>()
  // dbt finds macros of packages under their full names only, in other macros of the package too
  const visit = ({ calls }: TemplateFacts): void => {
    for (const call of calls) {
      const macro =
        packageMacros.get(call) ?? macros.get(call) ?? macros.get(call.slice(call.lastIndexOf('.') + 1))
      if (!macro || reached.has(macro)) continue
      reached.add(macro)
      visit(macro.facts)
    }
  }
  visit(template)
  const written = [template, ...[...reached].map(({ facts }) => facts)]
  const held = written.flatMap((facts) => facts.variables ?? []).flatMap((name) => variables.get(name) ?? [])
  const parts = [...written, ...held]
  return {
    models: distinct(
      parts.flatMap(({ models }) => models),
      keyOfModel,
    ),
    sources: distinct(
      parts.flatMap(({ sources }) => sources),
      keyOfSource,
    ),
    isDynamic: parts.some(({ isDynamic }) => isDynamic),
  }
}

function keyOfModel({ model, package: home = '', version = '' }: ModelReference): string {
  return JSON.stringify([home, model, version])
}

function keyOfSource({ source, table }: SourceReference): string {
  return JSON.stringify([source, table])
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const found = new Map<string, Item>()
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item)
  return [...found.values()]
}
