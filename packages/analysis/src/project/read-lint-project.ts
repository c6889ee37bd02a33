import type { Document } from 'yaml'
import {
  decodeText,
  type FileTree,
  type FoundCall,
  LOCK_FILE,
  readManifest,
  readProject,
  type ReadProjectOptions,
  readText,
} from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import { suppressionsInComments } from '../suppress/comments.ts'
import { type DialectName, type IgnoreSetting, StagecraftError, type Table } from '@stagecraft/spec'
import { loadSqlStructure, type StructureOptions } from '../structure/load-structure.ts'
import type { SqlStructure } from '../structure/sql-structure.ts'
import type { Need } from '../vocabulary.ts'
import { readFreshness } from './freshness.ts'
import { lockOf, rawTables } from './raw-tables.ts'
import { suppressionsInConfiguration } from '../suppress/configuration.ts'
import { suppressionsInProperties } from '../suppress/properties.ts'
import { buildGraph } from './graph.ts'
import { readInstalledPackages } from './installed-packages.ts'
import type { LintProject } from './lint-project.ts'
import { rememberedConfig } from './model-config.ts'
import { type Entry, propertiesFile, type PropertiesFile } from './properties-file.ts'
import { referencesInProperties, referencesInTemplate } from './references.ts'
import { type SourceFile, sourceFile } from './source-file.ts'

export interface ReadLintProjectOptions extends Pick<ReadProjectOptions, 'context'> {
  /**
   * The dialect of its SQL. @default that of `stagecraft.lock`, else duckdb, whose quotes and comments are the most
   * common
   */
  readonly dialect?: DialectName
  /** The dialect if neither `dialect` nor the lock names one: that of the dbt profile. */
  readonly profileDialect?: DialectName
  /** Suppressions of the configuration, with their file. @default none */
  readonly ignore?: ConfiguredSuppressions
  /** The raw tables of a catalog, complete for each schema. @default those of `stagecraft.lock` */
  readonly tables?: readonly Table[]
  /**
   * Parses the SQL of models for rules that need it. Without the optional package `@polyglot-sql/sdk`, these rules
   * are not checked.
   *
   * @default false
   */
  readonly structure?: boolean | Omit<StructureOptions, 'rawColumns'>
  /** Also reads dbt's files below `target`. @default false */
  readonly artifacts?: boolean
}

/** The setting `lint.ignore` of a `stagecraft.yml`. */
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
 * @throws {StagecraftError} INVALID_REQUEST if the file is missing or unreadable.
 */
export async function readLintProject(
  tree: FileTree,
  given: ReadLintProjectOptions = {},
): Promise<LintProject> {
  const { artifacts = false, context, ignore, structure = false, tables } = given
  const files = new Map<string, SourceFile>()
  const lock = lockOf(await readText(tree, LOCK_FILE))
  const [locked] = lock?.values() ?? []
  const known = given.dialect ?? locked?.dialect ?? given.profileDialect
  const syntax = DIALECTS[known ?? 'duckdb']
  const readable = remembering(tree, files)
  const options = { dialect: known && syntax, ...(context && { context }) }
  const { calls, index, properties } = await readIndexAndProperties(readable, files, options)
  const entries = entriesByModel(properties)
  const entryOf: LintProject['entryOf'] = ({ kind, name }) => entries.get(`${kind}s ${name}`)
  const configuration =
    ignore && ignore.settings.length > 0 ? sourceFile(ignore.path, ignore.text) : undefined
  const manifest = artifacts ? await readManifest(tree, index) : undefined
  const freshness = artifacts ? await readFreshness(tree, index.settings.targetPath) : undefined
  const comments = [...files.values()].flatMap((file) => suppressionsInComments(file, syntax))
  const project: LintProject = {
    index,
    files: configuration ? new Map([...files, [configuration.path, configuration]]) : files,
    properties,
    graph: buildGraph(index, latestVersions(entries)),
    references: new Map(
      [...files.values()]
        .filter(({ path }) => /\.(?:sql|py)$/.test(path))
        .map((file) => [file.path, referencesInTemplate(file, calls.get(file.path))]),
    ),
    calls,
    propertyReferences: properties.flatMap(referencesInProperties),
    configOf: rememberedConfig((model) => ({ settings: index.settings, entry: entryOf(model) })),
    entryOf,
    packages: await readInstalledPackages(tree, index),
    dialect: syntax,
    isDialectKnown: known !== undefined,
    suppressions: [
      ...comments,
      ...properties.flatMap(suppressionsInProperties),
      ...(ignore && configuration ? suppressionsInConfiguration(ignore.settings, configuration) : []),
    ],
    structure: UNREAD,
    raw: rawTables(index, { tables, lock }),
    generated: new Set([...(lock?.values() ?? [])].map(({ model }) => model.path)),
    manifest,
    freshness: freshness ?? new Map(),
    has: needsMet({ catalog: tables, 'raw-tables': tables ?? lock, manifest, freshness }),
  }
  if (structure === false) return project
  for (const { kind, path } of index.models)
    if (kind === 'seed' && !files.has(path)) await readable.read(path)
  return withStructure(
    { ...project, files: new Map([...project.files, ...files]) },
    structure === true ? {} : structure,
  )
}

/** Reads the index, the calls of templates and the files of properties. Each file is parsed once. */
async function readIndexAndProperties(
  tree: FileTree,
  files: ReadonlyMap<string, SourceFile>,
  options: ReadProjectOptions,
): Promise<Pick<LintProject, 'calls' | 'index' | 'properties'>> {
  const documents = new Map<string, Document>()
  const onDocument = (path: string, document: Document): void => void documents.set(path, document)
  const calls = new Map<string, readonly FoundCall[]>()
  const onCalls = (path: string, found: readonly FoundCall[]): void => void calls.set(path, found)
  const index = await readProject(tree, { ...options, onCalls, onDocument })
  const properties = [...files.values()]
    .filter(({ path }) => isProperties(path))
    .map((file) => propertiesFile(file, documents.get(file.path)))
  return { calls, index, properties }
}

/** Returns the available inputs and the files. */
function needsMet(found: Partial<Readonly<Record<Need, unknown>>>): ReadonlySet<Need> {
  const there = Object.entries(found).filter(([, value]) => value !== undefined)
  return new Set<Need>(['files', ...there.map(([need]) => need as Need)])
}

const UNREAD: SqlStructure = { of: () => ({ status: 'unread', reason: 'its SQL was not read' }) }

/** Adds the parsed SQL of models. Without the parser, rules that need it are reported as not checked. */
async function withStructure(project: LintProject, options: StructureOptions): Promise<LintProject> {
  const rawColumns = (source: string, table: string): readonly string[] | undefined =>
    project.raw.tableOf(source, table)?.columns.flatMap(({ hidden, name }) => (hidden ? [] : [name]))
  try {
    const structure = await loadSqlStructure(project, { ...options, rawColumns })
    return { ...project, structure, has: new Set([...project.has, 'structure']) }
  } catch (error) {
    if (error instanceof StagecraftError) return project
    throw error
  }
}

/** Records the texts of the files that are read. */
function remembering(tree: FileTree, files: Map<string, SourceFile>): FileTree {
  return {
    list: (folder, options) => tree.list(folder, options),
    async read(path) {
      const bytes = await tree.read(path)
      const text = bytes && (path.endsWith('.csv') ? headerOf(bytes) : decodeText(bytes))
      if (text !== undefined) files.set(path, sourceFile(path, text))
      return bytes
    },
  }
}

/** Returns the header of a seed. */
function headerOf(bytes: Uint8Array): string | undefined {
  const end = bytes.indexOf(10)
  return decodeText(end === -1 ? bytes : bytes.subarray(0, end))
}

const PROJECT_FILES = new Set(['dbt_project.yml', 'packages.yml', 'dependencies.yml', 'package-lock.yml'])

function isProperties(path: string): boolean {
  return /\.ya?ml$/i.test(path) && !PROJECT_FILES.has(path)
}

/** Finds the first entry of each model, seed and snapshot. */
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
