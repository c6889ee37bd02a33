import { basename } from '../tree/paths.ts'
import type { RenderContext } from '../jinja/jinja-value.ts'
import type { NamedBlock } from '../jinja/read-template.ts'
import { indexModels } from './index-models.ts'
import { indexSources } from './index-sources.ts'
import type { ReadFile } from './facts-cache.ts'
import type { IndexedBlock, IndexedSource, ProjectIndex, ProjectProblem } from './project-index.ts'
import type { ProjectSettings } from './settings.ts'

export interface IndexInput {
  readonly settings: ProjectSettings
  readonly files: readonly ReadFile[]
  readonly packages: readonly string[]
  /** The values that Jinja in sources may use. */
  readonly context: RenderContext
}

/** Puts together what the files of a project say. */
export function buildIndex({ context, files, packages, settings }: IndexInput): ProjectIndex {
  const sources = files.flatMap((file) => indexSources(file, context))
  return {
    settings,
    models: indexModels(files, settings),
    sources,
    macros: blocksOf(files, 'macro'),
    docs: blocksOf(files, 'docs'),
    packages,
    problems: [...faultsOf(files), ...twinsOf(sources)],
    fileCount: files.length,
  }
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
    return fault ? [{ path, ...fault, reason: `${basename(path)} cannot be read: ${fault.reason}` }] : []
  })
}

/** dbt refuses a table that two places declare under one name. */
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
