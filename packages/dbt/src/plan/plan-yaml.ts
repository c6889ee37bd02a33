import type { EditOutcome, EditPlace, YamlEdit, YamlEntry, YamlOwner } from '../yaml/yaml-edit.ts'
import { editYaml } from '../yaml/edit-yaml.ts'
import { findMarkers } from '../merge/conflict-markers.ts'
import { hashData } from '../lock/hashes.ts'
import { type EntryChange, entryEdits, unchangeableKeys } from './entry-edits.ts'
import { type EntryInput, isAsGenerated } from './entry-input.ts'
import { describeParts, ENTRY_REMOVED, type HandEdit, handEdits } from './hand-edits.ts'
import type { FileConflict, PlannedFile } from './plan-types.ts'
import { printReaders } from './project-view.ts'

/** A properties file with all its generated entries. */
export interface YamlInput {
  readonly path: string
  readonly present: string | undefined
  /** The generated text of the whole file. */
  readonly whole: string | undefined
  /** Returns true for a generated text. */
  readonly isGenerated: (text: string) => boolean
  readonly entries: readonly EntryInput[]
}

/** A planned properties file, and the places where a person's text stays in place of generated text. */
export interface PlannedYaml {
  readonly file: PlannedFile
  readonly kept: readonly EditPlace[]
}

/** Plans a file of properties. */
export function planYaml(input: YamlInput): PlannedYaml {
  const { edits, entries } = planEntries(input)
  const file = planFile(input, entries, edits)
  const kept = (file.outcomes ?? []).flatMap((outcome, index) => {
    const edit = edits[index]
    const isReported =
      edit?.kind === 'add-tests' ||
      edit?.kind === 'remove-entry' ||
      (edit?.kind === 'set-property' && edit.key === 'description')
    return outcome.status === 'kept' && isReported ? [{ ...outcome, reason: reasonOf(outcome, edit) }] : []
  })
  const { outcomes: _, ...planned } = file
  return { file: planned, kept }
}

function planEntries({ entries }: YamlInput): {
  readonly entries: readonly EntryPlan[]
  readonly edits: readonly YamlEdit[]
} {
  const planned = entries.map(planEntry)
  return { entries: planned, edits: planned.flatMap(({ edits }) => edits) }
}

function planFile(
  { entries, isGenerated, path, present, whole }: YamlInput,
  planned: readonly EntryPlan[],
  edits: readonly YamlEdit[],
): PlannedFile & { readonly outcomes?: readonly EditOutcome[] } {
  const covers = entries.map(({ covers }) => covers)
  const file = { path, before: present, after: present, covers, conflicts: [], notes: [] }
  if (whole !== undefined && present === undefined) return { ...file, action: 'create', after: whole }
  if (present === whole) return { ...file, action: 'unchanged' }
  const markers = findMarkers(present)
  if (markers !== undefined)
    return {
      ...file,
      action: 'conflict',
      conflicts: [{ kind: 'markers', line: markers, keep: 'the entries of both sides' }],
    }
  if (
    present !== undefined &&
    whole !== undefined &&
    isGenerated(present) &&
    entries.every(({ isPruned, wanted }) => wanted || isPruned)
  )
    return { ...file, action: 'update', after: whole }
  const { outcomes, text } =
    edits.length === 0
      ? { outcomes: [], text: present ?? '' }
      : editYaml({ path, text: present ?? '' }, edits)
  const told = outcomes.map((outcome, index) => judge(outcome, edits[index]))
  const conflicts = told.flatMap(({ conflict }) => conflict ?? [])
  const edited = present === undefined ? [] : handEdits({ path, text: present }, entries)
  const notes = [
    ...edited.flatMap(describeEdit),
    ...planned.flatMap(({ notes }) => notes),
    ...told.flatMap(({ note }) => note ?? []),
  ]
  const after = isEmptied(text) ? undefined : text
  const isGone = entries.length > 0 && entries.every(({ wanted }) => !wanted)
  const judged = { ...file, after, notes, outcomes, ...(edited.length > 0 && { edited }) }
  if (conflicts.length > 0) return { ...judged, action: 'conflict', conflicts }
  if (after === present)
    return { ...judged, action: isGone ? 'orphan' : entries.every(isForeign) ? 'foreign' : 'unchanged' }
  if (isGone && after === undefined) return { ...judged, action: 'orphan' }
  return { ...judged, action: present === undefined ? 'create' : 'merge' }
}

/** Parts that a person added are no news in a plan. A removed entry has its own note. */
function describeEdit({ changed, covers }: HandEdit): readonly string[] {
  if (changed.length === 0 || changed.includes(ENTRY_REMOVED)) return []
  return [`${covers}: edited by hand: ${describeParts(changed)}`]
}

function isForeign({ locked, present }: EntryInput): boolean {
  return !locked && present !== undefined
}

interface EntryPlan {
  readonly edits: readonly YamlEdit[]
  readonly notes: readonly string[]
}

function planEntry(entry: EntryInput): EntryPlan {
  const { base, identifier, locked, owner, present, renames, wanted } = entry
  if (!wanted) return planGoneEntry(entry)
  if (!present) return planMissingEntry(entry)
  if (!locked) {
    const { is, was } = identifier ?? {}
    const replaced = was === undefined ? {} : { replaces: was }
    const renamed =
      is === undefined
        ? []
        : [{ kind: 'set-property', owner, key: 'identifier', value: is, ...replaced } as const]
    const { edits = [], notes = [] } = entry.asked ?? {}
    return { edits: [...renamed, ...edits], notes }
  }
  const before = entry.isSelected && isAsGenerated(entry) ? present : base
  if (!before) return { edits: [], notes: [] }
  const change = withListedColumns(owner, { base: before, wanted, present, renames })
  const unchangeable = before === present ? unchangeableKeys(change) : []
  return {
    edits: entryEdits(owner, change),
    notes: unchangeable.map((key) => `${entry.covers}: ${key} has a new generated value; change it by hand`),
  }
}

/** An entry of a source table that lists no columns stays without: it has all of them, or none. */
function withListedColumns(
  { list }: YamlOwner,
  change: EntryChange & { readonly present: YamlEntry },
): EntryChange & { readonly present: YamlEntry } {
  if (list !== 'sources' || change.present['columns'] !== undefined) return change
  const without = ({ columns: _, ...entry }: YamlEntry): YamlEntry => entry
  return { ...change, base: without(change.base), wanted: without(change.wanted) }
}

/** An entry that a person removed is not added again, unless dbt needs it. */
function planMissingEntry({ add, covers, locked, owner, undeclaredIn = [] }: EntryInput): EntryPlan {
  if (!locked) return { edits: add, notes: [] }
  const removed = `${covers} was removed by hand and is not added again`
  const way = `; to add it again, apply this plan, then run stagecraft forget ${covers}, stagecraft adopt with the file of its model, and stagecraft apply`
  if (undeclaredIn.length === 0)
    return { edits: [], notes: [owner.list === 'models' ? removed + way : removed] }
  return { edits: add, notes: [`${covers} is declared again, because ${printReaders(undeclaredIn)} it`] }
}

function planGoneEntry({
  base,
  covers,
  isPruned,
  isRead,
  locked,
  ofSource,
  owner,
  present,
}: EntryInput): EntryPlan {
  if (!present || !locked) return { edits: [], notes: [] }
  const reason = isRead ? 'as long as the project reads it' : 'as long as its model'
  if (!isPruned) return { edits: [], notes: [`${covers} is gone, and its entry stays ${reason}`] }
  const expected = hashData(present) === locked.sha256 ? present : base
  const removal: YamlEdit = {
    kind: 'remove-entry',
    owner,
    ...(expected && { expected }),
    ...(ofSource && { ofSource }),
  }
  return { edits: [removal], notes: [] }
}

interface Judged {
  readonly conflict?: FileConflict
  readonly note?: string
}

/** Classifies an outcome: an impossible edit is a conflict, and so is removing a column that a person described. */
function judge(outcome: EditOutcome, edit: YamlEdit | undefined): Judged {
  if (outcome.status === 'done' || outcome.status === 'unneeded') return {}
  const { line, path, reason } = outcome
  if (outcome.status === 'refused') return { conflict: { kind: 'yaml', line, path, reason } }
  return { note: `line ${line}: ${reasonOf(outcome, edit)}` }
}

function reasonOf({ reason }: EditPlace, edit: YamlEdit | undefined): string {
  const column = edit && 'column' in edit && typeof edit.column === 'string' ? edit.column : undefined
  return column === undefined ? reason : `column ${column}: ${reason}`
}

/** Returns true if only the version is left in a file. */
function isEmptied(text: string): boolean {
  return text.replaceAll(/^(?:version:.*|---|\s*)$/gm, '').trim() === ''
}
