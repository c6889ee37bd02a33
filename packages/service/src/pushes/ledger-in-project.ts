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

/** The files of the ledger that lie in a dbt project. Paths are relative to the project. */
export interface LedgerInProject {
  /** By path, the SHA-256 of every content that was pushed. */
  readonly hashes: ReadonlyMap<string, readonly string[]>
  /** The texts that stand there as they were pushed, by path. */
  readonly untouched: ReadonlyMap<string, string>
}

/** Reads which files of a project are as they were pushed last. */
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
 * Returns the files of properties that pushes wrote before there was a lock and that nobody changed since: they are written again.
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
  /** Files that are written again, so that nothing is known of their entries. */
  readonly anew: ReadonlySet<string>
}

/** Adds lines to a lock for the models that pushes wrote before there was one, so that what people changed since is merged. */
export function seedLock(
  lock: Lock,
  items: ReadonlyMap<string, EditedItem>,
  { anew, ledger, setup }: SeedOptions,
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
      ledger.hashes.has(file) && !anew.has(file) ? { path: file, sha256: UNKNOWN } : undefined
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

/** The hash of an entry of which nobody knows how it was generated: it is merged and never replaced. */
const UNKNOWN = '0'.repeat(64)

/** The hash of the text that is in the file, else of the last one that was pushed. */
function hashOf({ hashes, untouched }: LedgerInProject, path: string): string | undefined {
  const text = untouched.get(path)
  return text === undefined ? hashes.get(path)?.at(-1) : hashText(text)
}
