import { type Conventions, learnConventions, type LearnedRule, mergeConfig } from '@stagecraft/dbt'
import { type Catalog, type Config, type DialectName, StagecraftError, type Table } from '@stagecraft/spec'
import type { Opened } from '../commands/shared-flags.ts'
import { paint } from '../terminal/paint.ts'
import { count } from '../terminal/report.ts'
import { isOwnIn, type OpenProject } from './open-project.ts'

export interface LearnFrom {
  /** Folders or files to learn from, relative to the project. @default all staging models */
  readonly from?: readonly string[]
  readonly dialect: DialectName
  readonly config: Config
  /** Supplies the types of columns. @default the lock, then casts and names */
  readonly catalog?: Catalog | undefined
}

/**
 * Learns the conventions of a project on disk. Models that Stagecraft wrote are ignored.
 *
 * @throws {StagecraftError} INVALID_REQUEST outside a dbt project.
 */
export async function learnProject(
  { index, lock, root, tree }: OpenProject,
  { catalog, config, dialect, from }: LearnFrom,
): Promise<Conventions> {
  if (!index)
    throw StagecraftError.invalid({
      path: '--project-dir',
      expected: 'a folder in a dbt project',
      received: `${root}, where no dbt_project.yml is in or above it`,
    })
  const schemas = [...new Set(index.sources.flatMap(({ schema }) => schema ?? []))].toSorted()
  const read = catalog ? await tablesIn(catalog, schemas) : []
  const kept = [...lock.values()].map(({ item }) => item.table)
  return learnConventions({ tree, index }, [...kept, ...read], {
    dialect,
    config,
    isOwn: isOwnIn(lock),
    ...(from && { from }),
  })
}

async function tablesIn(catalog: Catalog, schemas: readonly string[]): Promise<readonly Table[]> {
  const read = await Promise.all(schemas.map((text) => catalog.tables({ schema: { text, quoted: false } })))
  return read.flat()
}

export const NOTHING_TO_LEARN = 'there are no staging models to learn from'

/** Adds learned conventions to the configuration, for `--learn`. Existing settings stay. */
export async function withLearned(
  opened: Opened,
  project: OpenProject,
): Promise<Opened & { readonly rules: readonly LearnedRule[] }> {
  const { catalog, config, dialect } = opened
  if (dialect === undefined) return { ...opened, rules: [] }
  const {
    columns,
    config: learned,
    models,
    named,
    rules,
  } = await learnProject(project, { catalog, config, dialect })
  const summary =
    models === 0
      ? NOTHING_TO_LEARN
      : `learned from ${count(models, 'model')}, which matches the names of ${named.after} of their ${columns} columns (without it: ${named.before}); stagecraft learn shows the rules`
  process.stderr.write(`${paint('cyan', 'note')} ${summary}\n`)
  return { ...opened, config: mergeConfig(learned, config), rules }
}
