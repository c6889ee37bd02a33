import { type Change, commitChange } from './change.ts'
import { addColumn, removeColumn, removeProperty, setProperty, setValue } from './edit-columns.ts'
import { addEntry, addTable, removeEntry } from './edit-entries.ts'
import { addNextTest, removeNextTest } from './edit-tests.ts'
import { EditRound } from './edit-round.ts'
import { attempt, type Ended } from './refusal.ts'
import type { EditedYaml, EditOutcome, YamlEdit, YamlText } from './yaml-edit.ts'
import { parseYaml, type YamlFile } from './yaml-file.ts'

/**
 * Edits a properties file by replacing pieces of its text, never by printing it again: comments, quotes, indents,
 * line ends and blank lines stay. Each edit applies to the result of earlier ones; independent edits are applied
 * together. Then the text is parsed again and compared with the intended data. Unsafe edits are refused, and the
 * others are applied.
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
  /** Pending edits, in order. */
  readonly open: readonly YamlEdit[]
}

/** Applies the first edit together with all independent ones. */
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

/** Applies the first edit alone, because the combined result was not the intended one. */
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

/** One edit may need several changes, as for tests; each is computed on the result of the one before. */
function isRepeated({ kind }: YamlEdit): boolean {
  return kind === 'add-tests' || kind === 'remove-tests'
}

type ChangesOf = {
  readonly [Kind in YamlEdit['kind']]: (
    file: YamlFile,
    edit: Extract<YamlEdit, { readonly kind: Kind }>,
  ) => Change | undefined
}

/** Returns the next change of an edit; undefined if it is done. */
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

/** The table above checks that each kind fits its edit; a lookup loses that. */
function nextChange(file: YamlFile, edit: YamlEdit): Change | undefined {
  const change = CHANGES[edit.kind] as (file: YamlFile, edit: YamlEdit) => Change | undefined
  return change(file, edit)
}
