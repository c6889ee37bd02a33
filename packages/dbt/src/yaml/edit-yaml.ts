import { type Change, commitChange } from './change.ts'
import { addColumn, removeColumn, removeProperty, setProperty, setValue } from './edit-columns.ts'
import { addEntry, addTable, removeEntry } from './edit-entries.ts'
import { addNextTest, removeNextTest } from './edit-tests.ts'
import { EditRound } from './edit-round.ts'
import { attempt, type Ended } from './refusal.ts'
import type { EditedYaml, EditOutcome, YamlEdit, YamlText } from './yaml-edit.ts'
import { parseYaml, type YamlFile } from './yaml-file.ts'

/**
 * Edits a file of properties by replacing pieces of its text, never by printing it anew: comments, quotes, indents, line
 * ends and blank lines stay as they are. Each edit is done on what the ones before it left; those that do not concern each
 * other are done together. Then the text is read again, and what it says is compared with what was meant; an edit that
 * cannot be done without harm is refused, and the others are done.
 */
export function editYaml({ path, text }: YamlText, edits: readonly YamlEdit[]): EditedYaml {
  const read = attempt({ path, text }, () => parseYaml({ path, text }))
  if ('status' in read) return { text, outcomes: edits.map(() => read) }
  const outcomes = new Map<YamlEdit, EditOutcome>()
  // the same edit may be asked for twice
  const asked = edits.map((edit) => ({ ...edit }))
  let [file, open]: [YamlFile, readonly YamlEdit[]] = [read, asked]
  while (open.length > 0) {
    const done = doTogether(file, open, outcomes)
    ;({ file } = done)
    open = done.open
  }
  return { text: file.text, outcomes: asked.map((edit) => outcomes.get(edit) ?? { status: 'unneeded' }) }
}

interface Done {
  readonly file: YamlFile
  /** Edits that have still to be done, in their order. */
  readonly open: readonly YamlEdit[]
}

/** Does the first of the edits, and all others that do not concern it or each other. */
function doTogether(file: YamlFile, edits: readonly YamlEdit[], outcomes: Map<YamlEdit, EditOutcome>): Done {
  const round = new EditRound()
  const open = edits.filter((edit) => {
    if (!round.isFree(edit)) return round.wait(edit)
    const found = attempt(file, () => ({ change: nextChange(file, round.anchored(edit)) }))
    if ('status' in found) {
      outcomes.set(edit, found)
      return false
    }
    if (!found.change) {
      outcomes.set(edit, outcomes.get(edit) ?? { status: 'unneeded' })
      return false
    }
    if (!round.add(edit, found.change)) return round.wait(edit)
    return isRepeated(edit)
  })
  const committed = attempt(file, () => round.commit(file))
  if ('status' in committed) return doFirst(file, edits, { outcomes, ended: committed })
  for (const edit of round.edits) outcomes.set(edit, { status: 'done' })
  return { file: committed, open }
}

/** Does the first edit alone, because together they did not say what was meant. */
function doFirst(
  file: YamlFile,
  [edit, ...rest]: readonly YamlEdit[],
  { ended, outcomes }: { readonly outcomes: Map<YamlEdit, EditOutcome>; readonly ended: Ended },
): Done {
  if (!edit) return { file, open: [] }
  const answer = attempt(file, () => {
    const change = nextChange(file, edit)
    return change ? commitChange(file, change) : file
  })
  if ('status' in answer) {
    outcomes.set(edit, rest.length > 0 ? answer : ended)
    return { file, open: rest }
  }
  const isSame = answer.text === file.text
  outcomes.set(edit, isSame ? (outcomes.get(edit) ?? { status: 'unneeded' }) : { status: 'done' })
  return { file: answer, open: !isSame && isRepeated(edit) ? [edit, ...rest] : rest }
}

/** One edit may be several changes, as tests are; the next one is looked for in what the last one left. */
function isRepeated({ kind }: YamlEdit): boolean {
  return kind === 'add-tests' || kind === 'remove-tests'
}

type ChangesOf = {
  readonly [Kind in YamlEdit['kind']]: (
    file: YamlFile,
    edit: Extract<YamlEdit, { readonly kind: Kind }>,
  ) => Change | undefined
}

/** The next change that brings a file closer to what an edit wants; undefined when it is there. */
const CHANGES: ChangesOf = {
  'add-column': addColumn,
  'remove-column': removeColumn,
  'set-property': setProperty,
  'remove-property': removeProperty,
  'add-tests': addNextTest,
  'remove-tests': removeNextTest,
  'add-table': addTable,
  'add-entry': addEntry,
  'remove-entry': removeEntry,
  'set-value': setValue,
}

/** A kind and its edit belong together, which the table above checks and a lookup cannot. */
function nextChange(file: YamlFile, edit: YamlEdit): Change | undefined {
  const change = CHANGES[edit.kind] as (file: YamlFile, edit: YamlEdit) => Change | undefined
  return change(file, edit)
}
