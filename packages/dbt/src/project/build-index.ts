import type { NamedBlock } from '../jinja/read-template.ts'
import { indexModels } from './index-models.ts'
import { indexSources, type Reading } from './index-sources.ts'
import type { ReadFile } from './facts-cache.ts'
import type {
  IndexedBlock,
  IndexedReader,
  IndexedSource,
  ProjectIndex,
  ProjectProblem,
  StyleExample,
} from './project-index.ts'
import type { PackageMacros } from './package-macros.ts'
import type { ProjectSettings } from './settings.ts'
import { isIn } from '../tree/paths.ts'

export interface IndexInput {
  readonly settings: ProjectSettings
  readonly files: readonly ReadFile[]
  readonly packages: readonly string[]
  /** The macros of packages that the project calls. */
  readonly packageMacros: PackageMacros
  /** The unreadable paths, besides the files. */
  readonly faults: readonly ProjectProblem[]
  /** The context for the places of sources. */
  readonly reading: Reading
}

/** Combines the facts of a project's files. */
export function buildIndex({
  faults,
  files,
  packageMacros,
  packages,
  reading,
  settings,
}: IndexInput): ProjectIndex {
  const sources = files.flatMap((file) => indexSources(file, reading))
  return {
    settings,
    models: indexModels(files, settings, packageMacros),
    sources,
    entries: files.flatMap(entriesOf),
    readers: files.flatMap((file) => readersOf(file, settings)),
    macros: blocksOf(files, 'macro'),
    docs: blocksOf(files, 'docs'),
    packages,
    faults: [...faults, ...faultsOf(files)],
    twins: twinsOf(sources),
    examples: files.flatMap(exampleOf),
    fileCount: files.length,
  }
}

function entriesOf({ facts: { properties }, path }: ReadFile): ProjectIndex['entries'] {
  const { models = [], seeds = [], snapshots = [] } = properties ?? {}
  return [...models, ...seeds, ...snapshots].map(({ name }) => ({ name, path }))
}

/** Entries of properties with references, tests and analyses in SQL, and macros and generic tests. */
function readersOf({ facts, path }: ReadFile, settings: ProjectSettings): readonly IndexedReader[] {
  const entries = (facts.properties?.reads ?? []).map((entry) => ({ ...entry, path }))
  const { template } = facts
  const isOther = isIn(path, [...settings.testPaths, ...settings.analysisPaths, ...settings.macroPaths])
  if (!template || !isOther) return entries
  const { models, sources: reads } = template
  const [first] = [...models, ...reads].toSorted((a, b) => a.line - b.line)
  return first ? [...entries, { path, line: first.line, models, reads }] : entries
}

function exampleOf({ facts, hash, path }: ReadFile): readonly StyleExample[] {
  const columns = (facts.properties?.models ?? []).flatMap((model) => model.columns)
  const descriptions = columns.flatMap(({ description, name }) =>
    description === undefined ? [] : [[name, description] as const],
  )
  const { renames = [] } = facts
  return renames.length + descriptions.length > 0 ? [{ path, hash, renames, descriptions }] : []
}

function blocksOf(files: readonly ReadFile[], kind: NamedBlock['kind']): readonly IndexedBlock[] {
  return files.flatMap(({ facts, path }) =>
    (facts.blocks ?? [])
      .filter((block) => block.kind === kind)
      .map(({ line, name }) => ({ name, path, line })),
  )
}

function faultsOf(files: readonly ReadFile[]): readonly ProjectProblem[] {
  return files.flatMap(({ facts, path }) => {
    const fault = facts.properties?.fault
    return fault ? [{ path, ...fault }] : []
  })
}

/** dbt refuses a table that is declared twice under one name. */
function twinsOf(sources: readonly IndexedSource[]): readonly ProjectProblem[] {
  const seen = new Map<string, string>()
  return sources.flatMap(({ name, tables }) =>
    tables.flatMap((table) => {
      const key = JSON.stringify([name, table.name])
      const first = seen.get(key)
      seen.set(key, first ?? `${table.path}:${table.line}`)
      const reason = `source('${name}', '${table.name}') is also declared in ${first}; remove one of them`
      return first === undefined ? [] : [{ path: table.path, line: table.line, reason }]
    }),
  )
}
