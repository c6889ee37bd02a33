import type { EditOutcome, YamlEdit, YamlEntry, YamlOwner } from '../yaml/yaml-edit.ts'
import { editYaml } from '../yaml/edit-yaml.ts'
import { hashData } from '../lock/hashes.ts'
import type { LockedPart } from '../lock/lock.ts'
import { entryEdits, unchangeableKeys } from './entry-edits.ts'
import type { FileConflict, PlannedFile } from './plan-types.ts'

/** An entry of YAML that is generated: of a model, or of a table of a source. */
export interface EntryInput {
  readonly owner: YamlOwner
  /** The subject, for people: `stg_shop__orders`, `shop.orders`. */
  readonly covers: string
  /** Adds the entry where there is none. */
  readonly add: readonly YamlEdit[]
  /** As it stands there; undefined when it does not. */
  readonly present: YamlEntry | undefined
  /** As it is generated now; undefined when the table is gone. */
  readonly wanted: YamlEntry | undefined
  /** The record in the lock; undefined if it was never generated. */
  readonly locked: LockedPart | undefined
  /** Of a table that is gone: its entry is removed too. */
  readonly isPruned: boolean
  /** As it was generated last, as far as that can be told; see `ModelInput.base`. */
  readonly base: YamlEntry | undefined
}

/** A file of properties with all entries in it that are generated. */
export interface YamlInput {
  readonly path: string
  readonly present: string | undefined
  /** The text when nobody else writes to the file. */
  readonly whole: string | undefined
  /** Tells whether a text is one that was generated. */
  readonly isGenerated: (text: string) => boolean
  readonly entries: readonly EntryInput[]
}

/** Plans a file of properties. */
export function planYaml({ entries, isGenerated, path, present, whole }: YamlInput): PlannedFile {
  const covers = entries.map(({ covers }) => covers)
  const file = { path, before: present, after: present, covers, conflicts: [], notes: [] }
  if (whole !== undefined && present === undefined) return { ...file, action: 'create', after: whole }
  if (present === whole) return { ...file, action: 'unchanged' }
  if (
    present !== undefined &&
    whole !== undefined &&
    isGenerated(present) &&
    entries.every(({ isPruned, wanted }) => wanted || isPruned)
  )
    return { ...file, action: 'update', after: whole }
  const planned = entries.map(planEntry)
  const edits = planned.flatMap(({ edits }) => edits)
  const { outcomes, text } =
    edits.length === 0
      ? { outcomes: [], text: present ?? '' }
      : editYaml({ path, text: present ?? '' }, edits)
  const told = outcomes.map((outcome, index) => judge(outcome, edits[index]))
  const conflicts = told.flatMap(({ conflict }) => conflict ?? [])
  const notes = [...planned.flatMap(({ notes }) => notes), ...told.flatMap(({ note }) => note ?? [])]
  const after = isEmptied(text) ? undefined : text
  const isGone = entries.length > 0 && entries.every(({ wanted }) => !wanted)
  if (conflicts.length > 0) return { ...file, action: 'conflict', after, conflicts, notes }
  if (after === present)
    return { ...file, action: isGone ? 'orphan' : entries.every(isForeign) ? 'foreign' : 'unchanged', notes }
  return { ...file, action: isGone ? 'orphan' : present === undefined ? 'create' : 'merge', after, notes }
}

function isForeign({ locked, present }: EntryInput): boolean {
  return !locked && present !== undefined
}

interface EntryPlan {
  readonly edits: readonly YamlEdit[]
  readonly notes: readonly string[]
}

function planEntry(entry: EntryInput): EntryPlan {
  const { add, base, covers, locked, owner, present, wanted } = entry
  if (!wanted) return planGoneEntry(entry)
  if (!present) {
    // somebody removed what was generated
    return locked
      ? { edits: [], notes: [`${covers} was removed by hand and stays away`] }
      : { edits: add, notes: [] }
  }
  if (!locked) return { edits: [], notes: [] }
  const before = hashData(present) === locked.sha256 ? present : base
  if (!before) return { edits: [], notes: [] }
  const change = { base: before, wanted }
  const unchangeable = before === present ? unchangeableKeys(change) : []
  return {
    edits: entryEdits(owner, change),
    notes: unchangeable.map((key) => `${covers}: ${key} has a new generated value; change it by hand`),
  }
}

function planGoneEntry({ base, covers, isPruned, locked, owner, present }: EntryInput): EntryPlan {
  if (!present || !locked) return { edits: [], notes: [] }
  if (!isPruned) return { edits: [], notes: [`${covers} is gone, and its entry stays as long as its model`] }
  const expected = hashData(present) === locked.sha256 ? present : base
  return { edits: [{ kind: 'remove-entry', owner, ...(expected && { expected }) }], notes: [] }
}

interface Judged {
  readonly conflict?: FileConflict
  readonly note?: string
}

/**
 * Judges an outcome: an impossible edit is a conflict, and so is the removal of a column that a person wrote
 * about.
 */
function judge(outcome: EditOutcome, edit: YamlEdit | undefined): Judged {
  if (outcome.status === 'done' || outcome.status === 'unneeded') return {}
  const { line, path, reason } = outcome
  if (outcome.status === 'refused') return { conflict: { kind: 'yaml', line, path, reason } }
  const what = edit && 'column' in edit && typeof edit.column === 'string' ? `column ${edit.column}: ` : ''
  return { note: `line ${line}: ${what}${reason}` }
}

/** Tells whether nothing but the version is left of a file. */
function isEmptied(text: string): boolean {
  return text.replaceAll(/^(?:version:.*|---|\s*)$/gm, '').trim() === ''
}
