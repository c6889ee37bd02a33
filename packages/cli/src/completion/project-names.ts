import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Naming } from './complete-words.ts'

/**
 * Returns the names that a word may be, from files that are read within the blink of an eye: the lock, and the index of the
 * project where it is cached. A project that cannot be read has none, since nobody waits for an error at a Tab.
 */
export async function projectNames(kind: Naming, folder: string): Promise<readonly string[]> {
  if (kind === 'rule') {
    const { RULES } = await import('@stagecraft/analysis')
    return RULES.map(({ id }) => id)
  }
  if (kind !== 'source' && kind !== 'subject') return []
  const { findProjectRoot } = await import('@stagecraft/dbt')
  const root = await findProjectRoot(folder)
  if (root === undefined) return []
  try {
    const locked = await lockedNames(root)
    const indexed = await indexedNames(root)
    const sources = [...locked.sources, ...schemasOf(locked.sources)]
    return [...new Set(kind === 'source' ? sources : [...sources, ...locked.models, ...indexed])]
  } catch {
    return [] // what is wrong with the project, the command that is being typed will say
  }
}

async function lockedNames(
  root: string,
): Promise<{ readonly models: readonly string[]; readonly sources: readonly string[] }> {
  const { LOCK_FILE, parseLock } = await import('@stagecraft/dbt')
  const file = join(root, LOCK_FILE)
  const tables = existsSync(file) ? [...parseLock(readFileSync(file, 'utf8')).values()] : []
  return {
    models: tables.map(({ model }) => model.name),
    sources: tables.map(({ item }) => item.request.source),
  }
}

/** Every schema as a pattern for all of its tables: `shop.*`. */
function schemasOf(sources: readonly string[]): readonly string[] {
  return sources.map((source) => source.replace(/(?:"(?:[^"]|"")*"|[^."]+)$/, '*'))
}

/** The facts of a project that was indexed before. */
const CACHE = '.stagecraft/cache/facts.json'

async function indexedNames(root: string): Promise<readonly string[]> {
  if (!existsSync(join(root, CACHE))) return []
  const { indexProject } = await import('../files/index-project.ts')
  const { models, sources } = await indexProject(root)
  return [...models.map(({ name }) => name), ...sources.map(({ name }) => name)]
}
