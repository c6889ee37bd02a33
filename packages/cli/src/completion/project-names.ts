import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Naming } from './complete-words.ts'

/**
 * Returns candidate names from files that can be read quickly: the lock, and the cached index of the project. Errors
 * are ignored during completion.
 */
export async function projectNames(kind: Naming, folder: string): Promise<readonly string[]> {
  if (kind === 'rule') {
    const { RULES } = await import('@stagecraft/analysis')
    return RULES.map(({ id }) => id)
  }
  if (kind === 'file' || kind === 'folder') return []
  const { findProjectRoot } = await import('@stagecraft/dbt')
  const root = await findProjectRoot(folder)
  if (root === undefined) return []
  try {
    const locked = await lockedNames(root)
    const sources = [...locked.sources, ...schemasOf(locked.sources)]
    if (kind === 'source') return [...new Set(sources)]
    return [...new Set([...sources, ...locked.models, ...(await indexedNames(root))])]
  } catch {
    return [] // The command itself will report errors of the project.
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

/** Returns every schema as a pattern for all of its tables: `shop.*`. */
function schemasOf(sources: readonly string[]): readonly string[] {
  return sources.map((source) => source.replace(/(?:"(?:[^"]|"")*"|[^."]+)$/, '*'))
}

/** Reads the cached facts of a project. */
const CACHE = '.stagecraft/cache/facts.json'

async function indexedNames(root: string): Promise<readonly string[]> {
  if (!existsSync(join(root, CACHE))) return []
  const { indexProject } = await import('../files/index-project.ts')
  const { models, sources } = await indexProject(root)
  return [...models.map(({ name }) => name), ...sources.map(({ name }) => name)]
}
