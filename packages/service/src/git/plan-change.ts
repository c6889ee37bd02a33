import { StagecraftError } from '@stagecraft/spec'
import { entryDefinition, modelOf } from './dbt-definitions.ts'
import { fileStem, isYaml, readReferences, sourceKey } from './dbt-references.ts'
import type { Clash } from './find-clashes.ts'
import { keepWhole } from './keep-whole.ts'
import { type ByteFile, type CommitPlan, type PlannedWrite, byteFile, planCommit } from './plan-commit.ts'
import { ownFiles, planRemovals } from './plan-removals.ts'
import type { PlannedFile } from '@stagecraft/dbt'
import type { PushPlan } from '@stagecraft/spec/api'
import type { FileInConflict, KeptFile, PushOptions, SkippedPart } from './push-options.ts'
import { toPushPlan } from './push-plan.ts'
import { readTexts } from './read-contents.ts'
import type { Git } from './run-git.ts'
import { readTreeEntries, type TreeEntry } from './tree-entries.ts'
import { type EntryKey, dropEntries, placeOfTable, printKey, readEntries } from './yaml-entries.ts'

const SHOWN = 5

/**
 * Refuses a commit that would overwrite the work of others.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all affected files.
 */
async function checkForeign(
  git: Git,
  { blocked, foreign }: CommitPlan,
  { lastPushed, overwrite = false }: Pick<PushOptions, 'lastPushed' | 'overwrite'>,
): Promise<void> {
  refuseBlocked(blocked)
  if (overwrite) return
  const ours = await ownFiles(git, foreign, lastPushed)
  const changed = foreign.map(({ path }) => path).filter((path) => !ours.has(path))
  if (changed.length === 0) return
  throw refusal('files_changed', changed, {
    what: 'these files were changed in the branch since the last push',
    suggestion: 'merge the changes, or push with overwrite to replace them',
  })
}

/** @throws {StagecraftError} INVALID_REQUEST when there are any. */
export function refuseBlocked(paths: readonly string[]): void {
  if (paths.length === 0) return
  throw refusal('path_blocked', paths, {
    what: 'the branch has a folder, a link or a submodule at the paths of these files',
    suggestion: 'move it away, or generate to another folder',
  })
}

function refusal(
  reason: string,
  paths: readonly string[],
  { suggestion, what }: { readonly suggestion: string; readonly what: string },
): StagecraftError {
  const files = paths.toSorted()
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : ''
  const message = `${what}: ${files.slice(0, SHOWN).join(', ')}${more}; ${suggestion}`
  return new StagecraftError('INVALID_REQUEST', message, { details: { reason, files, suggestion } })
}

interface LeftOut {
  /** The files without definitions that other files of the branch have. */
  readonly bytes: readonly ByteFile[]
  readonly skipped: readonly SkippedPart[]
}

interface LeaveOutOptions {
  readonly clashes: readonly Clash[]
  /** The files of others, by path. */
  readonly texts: ReadonlyMap<string, string>
  /** Paths that exist in the branch. */
  readonly present: ReadonlySet<string>
}

/**
 * Leaves out definitions that other files of the branch already have. An existing declaration of the same source table
 * and existing properties of a model are used unchanged. A model is not pushed if another file defines a model of its
 * name, or declares its source table with a different relation.
 *
 * @throws {StagecraftError} INVALID_REQUEST if no model remains, or if an entry cannot be removed.
 */
function leaveOut(bytes: readonly ByteFile[], { clashes, present, texts }: LeaveOutOptions): LeftOut {
  const files = bytes.map((file) => ({ ...file, text: file.content.toString() }))
  const skipped: SkippedPart[] = []
  const refusedPaths = new Set<string>()
  const entries = new Map<string, EntryKey[]>()
  const drop = (path: string, key: EntryKey): void => {
    const known = entries.get(path) ?? []
    if (!known.some((one) => printKey(one) === printKey(key))) entries.set(path, [...known, key])
  }
  const refuse = (path: string, definedIn: string, name = modelOf(path)): void => {
    if (refusedPaths.has(path)) return
    refusedPaths.add(path)
    skipped.push({ path, name, definedIn, outcome: 'refused' })
    for (const file of files.filter((one) => isYaml(one.path)))
      for (const key of readEntries(file.text))
        if (key.list !== 'sources' && key.name === fileStem(path)) drop(file.path, key)
  }
  for (const { definedIn, name, path } of clashes) {
    if (!isYaml(path)) {
      refuse(path, definedIn, name)
      continue
    }
    const text = files.find((file) => file.path === path)?.text ?? ''
    const key = readEntries(text).find((one) => entryDefinition(one) === name)
    if (!key) throw definedTwice(clashes)
    drop(path, key)
    const isSame = key.list !== 'sources' || isSamePlace(key, text, texts.get(definedIn) ?? '')
    if (isSame) skipped.push({ path, name, definedIn, outcome: 'used' })
    else for (const user of files.filter((file) => refersTo(file, key))) refuse(user.path, definedIn)
  }
  const left = files.filter(({ path }) => !refusedPaths.has(path))
  if (refusedPaths.size > 0 && left.every(({ path }) => isYaml(path))) throw definedTwice(clashes)
  const rest = left.flatMap(({ path, text, ...file }) => {
    const keys = entries.get(path)
    if (!keys) return [{ path, ...file }]
    const kept = dropEntries(text, keys)
    if (kept === undefined) throw definedTwice(clashes)
    return readEntries(kept).length === 0 && !present.has(path) ? [] : [byteFile(path, kept)]
  })
  return { bytes: rest, skipped }
}

interface TextFile extends ByteFile {
  readonly text: string
}

function refersTo({ path, text }: TextFile, key: Extract<EntryKey, { readonly source: string }>): boolean {
  return (
    !isYaml(path) &&
    readReferences(path, text).sources.has(sourceKey({ source: key.source, table: key.name }))
  )
}

/** Names that Jinja composes count as equal, because they are known only when dbt runs. */
function isSamePlace(
  { name, source }: Extract<EntryKey, { readonly source: string }>,
  ours: string,
  theirs: string,
): boolean {
  const [one, other] = [placeOfTable(ours, source, name), placeOfTable(theirs, source, name)]
  if (!one || !other) return false
  const isSame = (left: string | undefined, right: string | undefined): boolean =>
    left === undefined || right === undefined || left === right || right.includes('{{')
  return (
    isSame(one.database, other.database) &&
    isSame(one.schema, other.schema) &&
    isSame(one.identifier, other.identifier)
  )
}

/** Creates the error for definitions that dbt would refuse as duplicates. */
export function definedTwice(clashes: readonly Clash[]): StagecraftError {
  const files = [...new Set(clashes.map(({ definedIn }) => definedIn))].toSorted()
  const found = clashes.map(({ definedIn, name }) => `${name} in ${definedIn}`)
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : ''
  const suggestion = 'move them back to where they are pushed to, or remove them there, and push again'
  const message = `other files of the branch already define what dbt allows only once: ${found.slice(0, SHOWN).join(', ')}${more}; ${suggestion}`
  return new StagecraftError('INVALID_REQUEST', message, {
    details: { reason: 'defined_twice', files, suggestion },
  })
}

export interface ChangeOptions extends Pick<PushOptions, 'gone' | 'lastPushed' | 'overwrite'> {
  readonly bytes: readonly ByteFile[]
  /** The parent commit; undefined in an empty repository. */
  readonly parent: string | undefined
}

/** The changes of a commit. */
export interface PlannedChange {
  readonly writes: readonly PlannedWrite[]
  readonly removed: readonly string[]
  readonly kept: readonly KeptFile[]
  readonly skipped: readonly SkippedPart[]
  readonly conflicts: readonly FileInConflict[]
  /** By path, the SHA-256 of every given file that was not skipped, after this change. */
  readonly pushed: ReadonlyMap<string, string>
  readonly plan: PushPlan
}

/**
 * Plans the files to write and to delete without breaking the dbt project. Definitions that other files of the branch
 * already have are left out.
 *
 * @throws {StagecraftError} INVALID_REQUEST if files of others conflict, or would lose their source.
 */
export async function planChange(git: Git, options: ChangeOptions): Promise<PlannedChange> {
  const { gone, parent } = options
  const skipped: SkippedPart[] = []
  let { bytes } = options
  for (;;) {
    const paths = [...bytes.map(({ path }) => path), ...(gone?.paths ?? [])]
    const entries = parent === undefined ? new Map() : await readTreeEntries(git, { commit: parent, paths })
    const plan = planCommit(bytes, entries)
    await checkForeign(git, plan, options)
    const { kept, removals } = await planRemovals(git, entries, options)
    if (parent === undefined) {
      const change = {
        writes: plan.writes,
        removed: [],
        kept,
        skipped,
        conflicts: [],
        pushed: hashesOf(bytes),
      }
      return { ...change, plan: await describeChange(git, change, { bytes, entries }) }
    }
    const whole = await keepWhole(git, { commit: parent, bytes, plan, removals, of: gone?.of ?? 'all' })
    if ('clashes' in whole) {
      const rest = leaveOut(bytes, { ...whole, present: new Set(plan.foreign.map(({ path }) => path)) })
      skipped.push(...rest.skipped)
      ;({ bytes } = rest)
      continue
    }
    const pushed = hashesOf([...bytes, ...whole.amended])
    const { removed, writes } = whole
    const change = { writes, removed, kept: [...kept, ...whole.kept], skipped, conflicts: [], pushed }
    return { ...change, plan: await describeChange(git, change, { bytes, entries }) }
  }
}

interface Described {
  readonly bytes: readonly ByteFile[]
  readonly entries: ReadonlyMap<string, TreeEntry>
}

/** Describes a change in the form of a plan. In a branch without a dbt project, files are written unchanged. */
async function describeChange(
  git: Git,
  { kept, removed, writes }: Omit<PlannedChange, 'plan'>,
  { bytes, entries }: Described,
): Promise<PushPlan> {
  const idOf = (path: string): string => entries.get(path)?.id ?? ''
  const touched = [...writes.map(({ file }) => file.path), ...removed].map(idOf).filter((id) => id !== '')
  const texts = await readTexts(git, touched)
  const file = { covers: [], conflicts: [], notes: [] }
  const written = new Map(writes.map((write) => [write.file.path, write]))
  const files = [
    ...writes.map(({ change, file: { content, path } }): PlannedFile => ({
      ...file,
      path,
      action: change === 'added' ? 'create' : 'update',
      before: texts.get(idOf(path)),
      after: content.toString(),
    })),
    ...removed.map((path): PlannedFile => ({
      ...file,
      path,
      action: 'orphan',
      before: texts.get(idOf(path)),
      after: undefined,
    })),
    ...[...bytes.filter(({ path }) => !written.has(path)), ...kept].map(({ path }): PlannedFile => ({
      ...file,
      path,
      action: kept.some((one) => one.path === path) ? 'orphan' : 'unchanged',
      before: undefined,
      after: undefined,
    })),
  ]
  return toPushPlan({ files, tables: [], warnings: [] }, undefined)
}

function hashesOf(files: readonly ByteFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, sha256 }) => [path, sha256]))
}
