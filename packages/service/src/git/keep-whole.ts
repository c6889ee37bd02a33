import { StagecraftError } from '@stagecraft/spec'
import { modelOf } from './dbt-definitions.ts'
import { fileStem, isYaml, sourceKey } from './dbt-references.ts'
import { type Clash, findClashes } from './find-clashes.ts'
import { blobId } from './hash-contents.ts'
import { type ByteFile, byteFile, type CommitPlan, type PlannedWrite } from './plan-commit.ts'
import type { Removal } from './plan-removals.ts'
import { projectRoots, type ProjectText, readFile, type ReadFile, readOthers } from './project-files.ts'
import type { GoneFiles, KeptFile } from './push-options.ts'
import { readTexts } from './read-contents.ts'
import type { Git } from './run-git.ts'
import { type EntryKey, keepEntries, printKey, readEntries } from './yaml-entries.ts'

export interface WholeOptions {
  readonly commit: string
  /** All files of the push, including unchanged ones. */
  readonly bytes: readonly ByteFile[]
  readonly plan: CommitPlan
  readonly removals: readonly Removal[]
  readonly of: GoneFiles['of']
}

export interface WholeChange {
  readonly writes: readonly PlannedWrite[]
  readonly removed: readonly string[]
  readonly kept: readonly KeptFile[]
  /** Files whose content differs from the given one. */
  readonly amended: readonly ByteFile[]
}

/** Parts of the push that other files of the branch define, with the texts of these files by path. */
export interface Clashes {
  readonly clashes: readonly Clash[]
  readonly texts: ReadonlyMap<string, string>
}

/**
 * Keeps the dbt project complete: written properties keep the sources that files of the branch still need and the
 * properties of remaining models, and files that are still needed are not deleted.
 *
 * @returns The change, or the conflicts that prevent it.
 * @throws {StagecraftError} INVALID_REQUEST if a needed entry cannot be kept.
 */
export async function keepWhole(git: Git, options: WholeOptions): Promise<WholeChange | Clashes> {
  const { bytes, commit, plan } = options
  const before = await readBefore(git, options)
  const given = bytes.map(({ content, path }) => readText(path, content.toString()))
  const removals = options.of === 'all' ? before.removals : ofTheirSources(before.removals, given)
  const writes = new Set(plan.writes.map(({ file }) => file.path))
  const written = given.filter(({ path }) => writes.has(path))
  const added = addedBy(plan, { given, rewritten: before.rewritten })
  if (removals.length === 0 && added.size === 0 && !isAnyLost([...before.rewritten, ...removals], given))
    return { writes: plan.writes, removed: [], kept: [], amended: [] }
  const touched = new Set([...plan.writes.map(({ file }) => file), ...removals].map(({ path }) => path))
  const { entries, folders, others } = await readOthers(git, { commit, touched })
  const rootOf = projectRoots([...entries.keys()])
  const { kept, removed, stays } = keepNeeded([...others, ...written], removals, rootOf)
  const clashes = findClashes({ added, stays, rootOf, folders })
  if (clashes.length > 0) return { clashes, texts: await textsOf(git, clashes, entries) }
  const amended = plan.writes.flatMap(({ file }) => amend(file, { before, given, stays, rootOf }))
  return {
    writes: plan.writes.flatMap((write) => replaced(write, { amended, plan })),
    removed: removed.map(({ path }) => path),
    kept: kept.map(({ path }) => ({ path, reason: 'needed' })),
    amended,
  }
}

async function textsOf(
  git: Git,
  clashes: readonly Clash[],
  entries: ReadonlyMap<string, { readonly id: string }>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map(clashes.map(({ definedIn }) => [definedIn, entries.get(definedIn)?.id ?? '']))
  // Files that this push writes have no id.
  const texts = await readTexts(
    git,
    [...ids.values()].filter((id) => id !== ''),
  )
  return new Map([...ids].map(([path, id]) => [path, texts.get(id) ?? '']))
}

function readText(path: string, text: string): ProjectText {
  return { ...readFile(path, text), text }
}

function isAnyLost(before: readonly ProjectText[], given: readonly ProjectText[]): boolean {
  const declared = new Set(given.flatMap(entriesOf).map(printKey))
  return before.flatMap(entriesOf).some((key) => !declared.has(printKey(key)))
}

function entriesOf({ path, text }: ProjectText): readonly EntryKey[] {
  return isYaml(path) ? readEntries(text) : []
}

/** Returns the definitions that the writes add to files of the branch. */
function addedBy(
  { writes }: CommitPlan,
  {
    given,
    rewritten,
  }: { readonly given: readonly ProjectText[]; readonly rewritten: readonly ProjectText[] },
): ReadonlyMap<string, ReadonlySet<string>> {
  const entries = writes.map(({ change, file: { path } }): [string, ReadonlySet<string>] => {
    const definitions = given.find((file) => file.path === path)?.definitions ?? new Set()
    if (change === 'added') return [path, definitions]
    // The existing code file had the same definition.
    const old = rewritten.find((file) => file.path === path)?.definitions ?? definitions
    return [path, new Set([...definitions].filter((name) => !old.has(name)))]
  })
  return new Map(entries.filter(([, names]) => names.size > 0))
}

interface Before {
  /** Reads the branch's version of properties that this push rewrites. */
  readonly rewritten: readonly ProjectText[]
  readonly removals: readonly ProjectText[]
}

async function readBefore(git: Git, { plan, removals }: WholeOptions): Promise<Before> {
  const properties = plan.foreign.flatMap(({ entry, path }) =>
    isYaml(path) && entry.type === 'blob' ? [{ path, id: entry.id }] : [],
  )
  const texts = await readTexts(
    git,
    [...properties, ...removals].map(({ id }) => id),
  )
  const read = ({ id, path }: Removal): ProjectText => readText(path, texts.get(id) ?? '')
  return { rewritten: properties.map(read), removals: removals.map(read) }
}

/** The models of the sources that files declare. */
function ofTheirSources(
  removals: readonly ProjectText[],
  files: readonly ProjectText[],
): readonly ProjectText[] {
  const sources = new Set(
    files.flatMap(entriesOf).flatMap((key) => (key.list === 'sources' ? [key.source] : [])),
  )
  return removals.filter(({ references }) =>
    [...references.sources].some((key) => sources.has((JSON.parse(key) as [string])[0])),
  )
}

type RootOf = (path: string) => string

interface Stay {
  readonly removed: readonly ProjectText[]
  readonly kept: readonly ProjectText[]
  /** All files of the branch after the push. */
  readonly stays: readonly ReadFile[]
}

/** Keeps files that others refer to, directly or indirectly. */
function keepNeeded(left: readonly ReadFile[], removals: readonly ProjectText[], rootOf: RootOf): Stay {
  const kept: ProjectText[] = []
  let removed = removals
  for (;;) {
    const stays = [...left, ...kept]
    const needed = new Set(removed.filter((file) => isNeeded(file, stays, rootOf)))
    if (needed.size === 0) return { removed, kept, stays }
    kept.push(...needed)
    removed = removed.filter((file) => !needed.has(file))
  }
}

function isNeeded({ path, references }: ProjectText, stays: readonly ReadFile[], rootOf: RootOf): boolean {
  const near = stays.filter((other) => rootOf(other.path) === rootOf(path))
  if (isYaml(path)) return neededTables(references.declared, near).length > 0
  if (near.some((other) => other.definitions.has(modelOf(path)))) return false
  return near.some((other) => other.references.models.has(fileStem(path)))
}

/** Returns the tables that files refer to and no file declares. */
function neededTables(tables: ReadonlySet<string>, files: readonly ReadFile[]): readonly string[] {
  return [...tables].filter(
    (key) =>
      files.some(({ references }) => references.sources.has(key)) &&
      !files.some(({ references }) => references.declared.has(key)),
  )
}

interface AmendOptions {
  readonly before: Before
  readonly given: readonly ProjectText[]
  readonly stays: readonly ReadFile[]
  readonly rootOf: RootOf
}

/** Returns the properties with the entries that are still needed; undefined if none is. */
function amend(
  { content, path }: ByteFile,
  { before, given, rootOf, stays }: AmendOptions,
): readonly ByteFile[] {
  const old = before.rewritten.find((file) => file.path === path)
  if (!old) return []
  const near = stays.filter((file) => rootOf(file.path) === rootOf(path))
  const needed = new Set(neededTables(old.references.declared, near))
  const code = new Set(near.filter((file) => !isYaml(file.path)).map((file) => fileStem(file.path)))
  const written = new Set(given.flatMap(entriesOf).map(printKey))
  const others = new Set(
    near.filter((file) => file.path !== path).flatMap(({ definitions }) => [...definitions]),
  )
  const keys = entriesOf(old).filter((key) => {
    if (key.list === 'sources') return needed.has(sourceKey({ source: key.source, table: key.name }))
    const isSaidElsewhere = written.has(printKey(key)) || others.has(`the properties of ${key.name}`)
    // Models of people and of other projects keep their properties.
    return code.has(key.name) && !isSaidElsewhere
  })
  if (keys.length === 0) return []
  const text = keepEntries(content.toString(), old.text, keys)
  if (text === undefined) throw notKept(path, keys, near)
  return [byteFile(path, text)]
}

function replaced(
  write: PlannedWrite,
  { amended, plan }: { readonly amended: readonly ByteFile[]; readonly plan: CommitPlan },
): readonly PlannedWrite[] {
  const file = amended.find(({ path }) => path === write.file.path)
  if (!file) return [write]
  const entry = plan.foreign.find(({ path }) => path === file.path)?.entry
  return entry?.id === blobId(file.content, entry?.id ?? '') ? [] : [{ ...write, file }]
}

function notKept(path: string, keys: readonly EntryKey[], files: readonly ReadFile[]): StagecraftError {
  const isUser = ({ path: user, references }: ReadFile): boolean =>
    keys.some((key) =>
      key.list === 'sources'
        ? references.sources.has(sourceKey({ source: key.source, table: key.name }))
        : !isYaml(user) && fileStem(user) === key.name,
    )
  const names = keys
    .map((key) => (key.list === 'sources' ? `${key.source}.${key.name}` : key.name))
    .toSorted()
  const paths = files
    .filter(isUser)
    .map((file) => file.path)
    .toSorted()
  const suggestion = 'move these entries to a file of your own, or change the models'
  const message = `${paths.join(', ')} need the entries ${names.join(', ')}, which cannot stay in ${path}; ${suggestion}`
  return new StagecraftError('INVALID_REQUEST', message, {
    details: { reason: 'source_needed', files: paths, suggestion },
  })
}
