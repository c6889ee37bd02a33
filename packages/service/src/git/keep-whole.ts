import { StagecraftError } from '@stagecraft/spec'
import { checkTwice } from './check-twice.ts'
import { blobId, sha256 } from './content-ids.ts'
import { modelOf } from './dbt-definitions.ts'
import { declaredTables, isYaml, sourceKey } from './dbt-references.ts'
import { keepEntries } from './keep-entries.ts'
import type { ByteFile, CommitPlan, PlannedWrite } from './plan-commit.ts'
import type { Removal } from './plan-removals.ts'
import { projectRoots, type ProjectText, readFile, type ReadFile, readOthers } from './project-files.ts'
import type { GoneFiles, KeptFile } from './push-options.ts'
import { readTexts } from './read-contents.ts'
import type { Git } from './run-git.ts'

export interface WholeOptions {
  readonly commit: string
  /** All files of the push, whether they differ from the branch or not. */
  readonly bytes: readonly ByteFile[]
  readonly plan: CommitPlan
  readonly removals: readonly Removal[]
  readonly of: GoneFiles['of']
}

export interface WholeChange {
  readonly writes: readonly PlannedWrite[]
  readonly removed: readonly string[]
  readonly kept: readonly KeptFile[]
  /** Files that became others than they were given. */
  readonly amended: readonly ByteFile[]
}

/**
 * Sees to it that what stays in the branch finds the sources and models that it refers to: entries of sources that are
 * still needed stay in properties that are written, and files that are still needed are not removed.
 *
 * @throws {StagecraftError} INVALID_REQUEST where a source that is needed cannot be kept, or what is written is in other files already.
 */
export async function keepWhole(git: Git, options: WholeOptions): Promise<WholeChange> {
  const { bytes, commit, plan } = options
  const before = await readBefore(git, options)
  const given = bytes.map(({ content, path }) => readText(path, content.toString()))
  const removals = options.of === 'all' ? before.removals : ofTheirSources(before.removals, given)
  const declared = new Set(given.flatMap((file) => [...file.references.declared]))
  const lost = [...before.rewritten, ...removals]
    .flatMap((file) => [...file.references.declared])
    .filter((key) => !declared.has(key))
  const writes = new Set(plan.writes.map(({ file }) => file.path))
  const written = given.filter(({ path }) => writes.has(path))
  const added = addedBy(plan, { given, rewritten: before.rewritten })
  if (removals.length === 0 && lost.length === 0 && added.size === 0)
    return { writes: plan.writes, removed: [], kept: [], amended: [] }
  const touched = new Set([...plan.writes.map(({ file }) => file), ...removals].map(({ path }) => path))
  const { folders, others, paths } = await readOthers(git, { commit, touched })
  const rootOf = projectRoots(paths)
  const { kept, removed, stays } = keepNeeded([...others, ...written], removals, rootOf)
  checkTwice({ added, stays, rootOf, folders })
  const amended = plan.writes.flatMap(({ file }) => amend(file, { before, stays, rootOf }))
  return {
    writes: plan.writes.flatMap((write) => replaced(write, { amended, plan })),
    removed: removed.map(({ path }) => path),
    kept: kept.map(({ path }) => ({ path, reason: 'needed' })),
    amended,
  }
}

function readText(path: string, text: string): ProjectText {
  return { ...readFile(path, text), text }
}

/** What writes define that the branch did not have in the same file. */
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
    // A file of code that was there defined the same.
    const old = rewritten.find((file) => file.path === path)?.definitions ?? definitions
    return [path, new Set([...definitions].filter((name) => !old.has(name)))]
  })
  return new Map(entries.filter(([, names]) => names.size > 0))
}

interface Before {
  /** Properties that this push writes anew, as the branch has them. */
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
    files.flatMap(({ path, text }) => (isYaml(path) ? declaredTables(text).map(({ source }) => source) : [])),
  )
  return removals.filter(({ references }) =>
    [...references.sources].some((key) => sources.has((JSON.parse(key) as [string])[0])),
  )
}

type RootOf = (path: string) => string

interface Stay {
  readonly removed: readonly ProjectText[]
  readonly kept: readonly ProjectText[]
  /** All that the branch has afterwards. */
  readonly stays: readonly ReadFile[]
}

/** Keeps what others refer to, and what that refers to in turn. */
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
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  return near.some((other) => other.references.models.has(name))
}

/** The tables that files refer to, and none of them declares. */
function neededTables(tables: ReadonlySet<string>, files: readonly ReadFile[]): readonly string[] {
  return [...tables].filter(
    (key) =>
      files.some(({ references }) => references.sources.has(key)) &&
      !files.some(({ references }) => references.declared.has(key)),
  )
}

interface AmendOptions {
  readonly before: Before
  readonly stays: readonly ReadFile[]
  readonly rootOf: RootOf
}

/** The properties with the entries that are still needed; nothing where none is. */
function amend({ content, path }: ByteFile, { before, rootOf, stays }: AmendOptions): readonly ByteFile[] {
  const old = before.rewritten.find((file) => file.path === path)
  if (!old) return []
  const near = stays.filter((file) => rootOf(file.path) === rootOf(path))
  const needed = new Set(neededTables(old.references.declared, near))
  if (needed.size === 0) return []
  const tables = declaredTables(old.text).filter((table) => needed.has(sourceKey(table)))
  const text = keepEntries(content.toString(), old.text, tables)
  if (text === undefined) throw sourceNeeded(path, needed, near)
  const bytes = Buffer.from(text)
  return [{ path, content: bytes, sha256: sha256(bytes) }]
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

function sourceNeeded(
  path: string,
  needed: ReadonlySet<string>,
  files: readonly ReadFile[],
): StagecraftError {
  const users = files.filter(({ references }) => [...references.sources].some((key) => needed.has(key)))
  const names = [...needed].map((key) => (JSON.parse(key) as string[]).join('.')).toSorted()
  const paths = users.map((file) => file.path).toSorted()
  const suggestion = 'move the entries of these sources to a file of your own, or change the models'
  const message = `${paths.join(', ')} need the sources ${names.join(', ')}, which cannot be kept in ${path}; ${suggestion}`
  return new StagecraftError('INVALID_REQUEST', message, {
    details: { reason: 'source_needed', files: paths, suggestion },
  })
}
