import { createRun, type EditedItem } from '@stagecraft/core/run'
import {
  type FileTree,
  generatedBy,
  hashText,
  type Lock,
  type LockedTable,
  type PlanInput,
  readText,
} from '@stagecraft/dbt'
import { isYaml } from '../git/dbt-references.ts'

/** The files of the ledger that are in a dbt project. Paths are relative to the project. */
export interface LedgerInProject {
  /** By path, the SHA-256 of every content that was pushed. */
  readonly hashes: ReadonlyMap<string, readonly string[]>
  /** The texts of files that are unchanged since their push, by path. */
  readonly untouched: ReadonlyMap<string, string>
}

/** Finds the files of a project that are unchanged since their last push. */
export async function readLedger(
  tree: FileTree,
  pushed: ReadonlyMap<string, readonly string[]>,
  folder: string,
): Promise<LedgerInProject> {
  const start = folder === '' ? '' : `${folder}/`
  const hashes = new Map(
    [...pushed].flatMap(([path, known]) =>
      path.startsWith(start) ? [[path.slice(start.length), known] as const] : [],
    ),
  )
  const untouched = new Map<string, string>()
  for (const [path, known] of hashes) {
    const text = await readText(tree, path)
    if (text !== undefined && known.includes(hashText(text))) untouched.set(path, text)
  }
  return { hashes, untouched }
}

/**
 * Returns the property files that pushes wrote before the project had a lock and that are unchanged since. They are
 * rewritten.
 */
export function ownProperties({ untouched }: LedgerInProject, lock: Lock): ReadonlySet<string> {
  const locked = new Set(
    [...lock.values()].flatMap(({ properties, source }) => [properties?.path, source?.path]),
  )
  return new Set([...untouched.keys()].filter((path) => isYaml(path) && !locked.has(path)))
}

export interface SeedOptions {
  readonly ledger: LedgerInProject
  readonly setup: PlanInput['setup']
  /** Files that are rewritten, so their entries count as unknown. */
  readonly rewritten: ReadonlySet<string>
}

/** Adds models that pushes wrote before the project had a lock, so that edits since then are merged. */
export function seedLock(
  lock: Lock,
  items: ReadonlyMap<string, EditedItem>,
  { ledger, rewritten, setup }: SeedOptions,
): Lock {
  const open = [...items].filter(([key]) => !lock.has(key))
  if (open.length === 0 || ledger.hashes.size === 0) return lock
  const run = createRun(
    open.map(([, item]) => item),
    setup,
  )
  const seeds = open.flatMap(([key, item], index): readonly (readonly [string, LockedTable])[] => {
    const place = run.tables[index]?.place()
    const sha256 = place && hashOf(ledger, place.paths.model)
    if (!place || sha256 === undefined) return []
    const { model: path, modelYaml, sourceYaml } = place.paths
    const part = (file: string): { readonly path: string; readonly sha256: string } | undefined =>
      ledger.hashes.has(file) && !rewritten.has(file) ? { path: file, sha256: UNKNOWN } : undefined
    const source = part(sourceYaml)
    const line: LockedTable = {
      item,
      revision: 0,
      dialect: setup.dialect,
      ...generatedBy(setup),
      model: { name: place.model, path, sha256 },
      properties: part(modelYaml),
      source: source && { ...source, name: place.source, table: place.table },
    }
    return [[key, line]]
  })
  return new Map([...lock, ...seeds])
}

/** A placeholder for the hash of an entry whose generated text is unknown. The entry is merged and never replaced. */
const UNKNOWN = '0'.repeat(64)

/** Returns the hash of the file's current text if it was pushed, otherwise of the last pushed text. */
function hashOf({ hashes, untouched }: LedgerInProject, path: string): string | undefined {
  const text = untouched.get(path)
  return text === undefined ? hashes.get(path)?.at(-1) : hashText(text)
}
