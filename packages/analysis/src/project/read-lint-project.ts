import { decodeText, type FileTree, readProject, type ReadProjectOptions } from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import { suppressionsInComments } from '../suppress/comments.ts'
import type { DialectName, IgnoreSetting } from '@stagecraft/spec'
import { suppressionsInConfiguration } from '../suppress/configuration.ts'
import { suppressionsInProperties } from '../suppress/properties.ts'
import { buildGraph } from './graph.ts'
import { readInstalledPackages } from './installed-packages.ts'
import type { LintProject } from './lint-project.ts'
import { configOf } from './model-config.ts'
import { type Entry, propertiesFile, type PropertiesFile } from './properties-file.ts'
import { referencesInProperties, referencesInTemplate } from './references.ts'
import { type SourceFile, sourceFile } from './source-file.ts'

export interface ReadLintProjectOptions extends Pick<ReadProjectOptions, 'context'> {
  /** How its SQL is spelled. @default duckdb, whose quotes and comments most warehouses share */
  readonly dialect?: DialectName
  /** Suppressions of the configuration, and the file that they stand in. @default none */
  readonly ignore?: ConfiguredSuppressions
}

/** What `lint.ignore` of a `stagecraft.yml` says. */
export interface ConfiguredSuppressions {
  /** The path of the file, relative to the project. */
  readonly path: string
  readonly text: string
  readonly settings: readonly IgnoreSetting[]
}

/**
 * Reads a dbt project for rules.
 *
 * @param tree Its root is the folder with `dbt_project.yml`.
 * @throws {StagecraftError} INVALID_REQUEST when there is no such file, or it cannot be read.
 */
export async function readLintProject(
  tree: FileTree,
  { context, dialect = 'duckdb', ignore }: ReadLintProjectOptions = {},
): Promise<LintProject> {
  const files = new Map<string, SourceFile>()
  const syntax = DIALECTS[dialect]
  const index = await readProject(remembering(tree, files), { ...(context && { context }) })
  const properties = [...files.values()].filter(({ path }) => isProperties(path)).map(propertiesFile)
  const entries = entriesByModel(properties)
  const entryOf: LintProject['entryOf'] = ({ kind, name }) => entries.get(`${kind}s ${name}`)
  const configuration =
    ignore && ignore.settings.length > 0 ? sourceFile(ignore.path, ignore.text) : undefined
  const comments = [...files.values()].flatMap((file) => suppressionsInComments(file, syntax))
  return {
    index,
    files: configuration ? new Map([...files, [configuration.path, configuration]]) : files,
    properties,
    graph: buildGraph(index, latestVersions(entries)),
    references: new Map(
      [...files.values()]
        .filter(({ path }) => /\.(?:sql|py)$/.test(path))
        .map((file) => [file.path, referencesInTemplate(file)]),
    ),
    propertyReferences: properties.flatMap(referencesInProperties),
    configOf: (model, key) => configOf(model, key, { settings: index.settings, entry: entryOf(model) }),
    entryOf,
    packages: await readInstalledPackages(tree, index),
    dialect: syntax,
    suppressions: [
      ...comments,
      ...properties.flatMap(suppressionsInProperties),
      ...(ignore && configuration ? suppressionsInConfiguration(ignore.settings, configuration) : []),
    ],
    has: new Set(['files']),
  }
}

/** Keeps the texts of what is read. */
function remembering(tree: FileTree, files: Map<string, SourceFile>): FileTree {
  return {
    list: (folder, options) => tree.list(folder, options),
    async read(path) {
      const bytes = await tree.read(path)
      const text = bytes && (path.endsWith('.csv') ? '' : decodeText(bytes))
      if (text !== undefined) files.set(path, sourceFile(path, text))
      return bytes
    },
  }
}

const PROJECT_FILES = new Set(['dbt_project.yml', 'packages.yml', 'dependencies.yml', 'package-lock.yml'])

function isProperties(path: string): boolean {
  return /\.ya?ml$/i.test(path) && !PROJECT_FILES.has(path)
}

/** The first entry of each model, seed and snapshot. */
function entriesByModel(properties: readonly PropertiesFile[]): ReadonlyMap<string, Entry> {
  const named = properties.flatMap(({ entries }) =>
    ['models', 'seeds', 'snapshots'].flatMap((list) =>
      entries(list).map((entry) => [`${list} ${entry.name}`, entry] as const),
    ),
  )
  return new Map(named.toReversed())
}

function latestVersions(entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, string> {
  return new Map(
    [...entries.values()].flatMap((entry) => {
      const latest = entry.get('latest_version')
      return typeof latest === 'string' || typeof latest === 'number'
        ? [[entry.name, String(latest)] as const]
        : []
    }),
  )
}
