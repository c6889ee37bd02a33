import type { YamlEdit } from '../yaml/yaml-edit.ts'
import { editYaml } from '../yaml/edit-yaml.ts'
import { moveEntries } from '../yaml/move-entry.ts'
import type { ArrangedTables } from './arrange-tables.ts'
import { type EntryPlace, type Following, followingOf } from './entry-place.ts'
import type { PlannedFile } from './plan-types.ts'
import type { Present } from './present-files.ts'
import type { PlanInput } from './plan-input.ts'

/** A project in which entries have followed their models. */
export interface FollowedEntries {
  readonly present: Present
  /** Renamed and moved entries, by the key of the table. */
  readonly entries: ReadonlyMap<string, FollowedEntry>
  /** Tables whose entries cannot be renamed, each with the reason. */
  readonly stuck: ReadonlyMap<string, string>
  /** The renamed and the moved entries. */
  readonly done: readonly Following[]
  /** Returns the plan of files with their texts on disk, and notes on entries. */
  readonly onDisk: (files: readonly PlannedFile[]) => readonly PlannedFile[]
}

/** An entry that followed its model. */
export interface FollowedEntry {
  /** Its present file. */
  readonly path: string
  /** Its former name; undefined if it was only moved. */
  readonly formerName: string | undefined
}

export interface EntriesToFollow extends EntryPlace {
  /** Returns true for a generated text, which is replaced as a whole. */
  readonly isGenerated: (path: string) => Promise<boolean>
}

/**
 * Renames and moves the entries of models before they are compared with generated ones, so what a person wrote in an
 * entry follows the model to its new name and its new file.
 */
export async function followEntries(
  { tables }: ArrangedTables,
  input: PlanInput,
  given: EntriesToFollow,
): Promise<FollowedEntries> {
  const found = tables.flatMap((table) => followingOf(table, input, given) ?? [])
  const generated = new Set<string>()
  for (const path of new Set(found.map(({ from }) => from)))
    if (await given.isGenerated(path)) generated.add(path)
  // a generated file is replaced as a whole, with the new names
  const open = found.filter(({ from, isRenamed }) => !isRenamed || !generated.has(from))
  const texts: Texts = new Map(
    open.flatMap(({ from, to }) => [from, to]).map((path) => [path, given.present.text(path)]),
  )
  const stuck = renameAll(open, texts)
  const followed = open.filter(({ key }) => !stuck.has(key))
  const moving = followed.filter(({ from, to }) => from !== to)
  const [going, waiting] = [moving.filter(({ waits }) => !waits), moving.filter(({ waits }) => waits)]
  const refused = moveAll(going, texts)
  const moved = going.filter(({ key }) => !refused.has(key))
  const changed = new Map([...texts].filter(([path, text]) => text !== given.present.text(path)))
  const notes: Notes = { moved, waiting, refused: [...refused.values()] }
  const done = followed.filter((one) => one.isRenamed || moved.includes(one))
  return {
    present: changed.size === 0 ? given.present : given.present.with(changed),
    entries: new Map(
      done.map((one) => [
        one.key,
        {
          path: moved.includes(one) ? one.to : one.from,
          formerName: one.isRenamed ? one.formerName : undefined,
        },
      ]),
    ),
    stuck,
    done,
    onDisk: (files) => withNotes(restore(files, changed, given.present), notes),
  }
}

interface StayingOptions {
  readonly done: readonly Following[]
  /** The paths of files in conflict. */
  readonly open: ReadonlySet<string>
  /** Models that are known to be stuck. @default none */
  readonly known?: ReadonlyMap<string, string> | undefined
}

/**
 * Returns the models that must keep their names and the entries that must stay in their files, because those files are
 * in conflict; undefined if all may follow.
 */
export function stayingEntries(
  { tables }: ArrangedTables,
  { known = new Map(), done, open }: StayingOptions,
): { readonly stuck: ReadonlyMap<string, string>; readonly pinned: ReadonlySet<string> } | undefined {
  const staying = done.filter(({ from, to }) => open.has(from) || open.has(to))
  const renamed = new Set(staying.flatMap(({ isRenamed, key }) => (isRenamed ? key : [])))
  const stuck = tables.flatMap(({ key, locked, model }) => {
    const path = locked?.properties?.path
    const isOpen = path !== undefined && open.has(path)
    const stays = renamed.has(key) || (isOpen && locked?.model.name !== model.name && !model.byHand)
    return stays && !known.has(key) ? [[key, `${path} cannot be edited safely`] as const] : []
  })
  const pinned = staying.flatMap(({ isRenamed, key }) => (isRenamed ? [] : key))
  return stuck.length + pinned.length === 0 ? undefined : { stuck: new Map(stuck), pinned: new Set(pinned) }
}

type Texts = Map<string, string | undefined>

/** Renames entries in their files. Returns the tables whose entries cannot be renamed. */
function renameAll(followings: readonly Following[], texts: Texts): ReadonlyMap<string, string> {
  const stuck = new Map<string, string>()
  const renamed = followings.filter(({ isRenamed }) => isRenamed)
  for (const [path, own] of Map.groupBy(renamed, ({ from }) => from)) {
    const edits = own.map(({ formerName, list, name }): YamlEdit => ({
      kind: 'set-property',
      owner: { list, name: formerName },
      key: 'name',
      value: name,
      replaces: formerName,
    }))
    const { outcomes, text } = editYaml({ path, text: texts.get(path) ?? '' }, edits)
    texts.set(path, text)
    for (const [index, outcome] of outcomes.entries()) {
      const key = own[index]?.key ?? ''
      if (outcome.status === 'kept' || outcome.status === 'refused')
        stuck.set(key, `its entry cannot be renamed (${path}:${outcome.line}: ${outcome.reason})`)
    }
  }
  return stuck
}

/** An entry that stays in its file, with the reason. */
interface RefusedMove {
  readonly path: string
  readonly note: string
}

/** Moves entries to their files. Returns those that stay, by the key of the table. */
function moveAll(followings: readonly Following[], texts: Texts): ReadonlyMap<string, RefusedMove> {
  const moved = moveEntries(texts, followings)
  for (const [path, text] of moved.texts) texts.set(path, text)
  return new Map(
    followings.flatMap(({ from, key, name }, index) => {
      const outcome = moved.outcomes[index]
      if (outcome?.status !== 'kept' && outcome?.status !== 'refused') return []
      const note = `${name} stays here, because of ${outcome.path}:${outcome.line}: ${outcome.reason}`
      return [[key, { path: from, note }] as const]
    }),
  )
}

/** Returns planned files with their texts on disk, together with the files that entries left. */
function restore(
  files: readonly PlannedFile[],
  changed: ReadonlyMap<string, string | undefined>,
  present: Present,
): readonly PlannedFile[] {
  const planned = new Set(files.map(({ path }) => path))
  const left = [...changed]
    .filter(([path]) => !planned.has(path))
    .map(([path, after]): PlannedFile => ({
      path,
      action: 'unchanged',
      before: after,
      after,
      covers: [],
      conflicts: [],
      notes: [],
    }))
  return [...files, ...left].map((file) => {
    if (!changed.has(file.path)) return file
    const restored = { ...file, before: present.text(file.path) }
    return { ...restored, action: actionOf(restored) }
  })
}

function actionOf({ action, after, before }: PlannedFile): PlannedFile['action'] {
  if (action === 'conflict') return action
  if (after === before) return 'unchanged'
  if (before === undefined) return 'create'
  if (after === undefined) return 'orphan'
  return action === 'update' ? action : 'merge'
}

interface Notes {
  readonly moved: readonly Following[]
  readonly waiting: readonly Following[]
  readonly refused: readonly RefusedMove[]
}

function withNotes(
  files: readonly PlannedFile[],
  { moved, refused, waiting }: Notes,
): readonly PlannedFile[] {
  return files.map((file) => {
    const waits = waiting.filter(({ from }) => from === file.path)
    const notes = [
      ...describeMoves(
        moved.filter(({ from }) => from === file.path),
        'to',
      ),
      ...describeMoves(
        moved.filter(({ to }) => to === file.path),
        'from',
      ),
      ...(waits.length > 0 ? [describeWaiting(waits)] : []),
      ...refused.filter(({ path }) => path === file.path).map(({ note }) => note),
    ]
    return notes.length === 0 ? file : { ...file, notes: [...file.notes, ...notes] }
  })
}

function describeMoves(moves: readonly Following[], side: 'from' | 'to'): readonly string[] {
  const byOther = [...Map.groupBy(moves, (move) => move[side])]
  const names = (own: readonly Following[]): string => own.map(({ name }) => name).join(', ')
  if (moves.length > SHOWN)
    return [
      `${moves.length} entries moved ${side} ${byOther.length === 1 ? byOther[0]?.[0] : `${byOther.length} files`}`,
    ]
  return byOther.map(([path, own]) => `${names(own)} moved ${side} ${path}`)
}

/** The number of moved entries up to which each is named. */
const SHOWN = 3

function describeWaiting(waiting: readonly Following[]): string {
  const [first] = waiting
  return waiting.length === 1
    ? `${first?.name} belongs to ${first?.to} by the current configuration; --prune moves it`
    : `${waiting.length} entries belong to other files by the current configuration; --prune moves them`
}
