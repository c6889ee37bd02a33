import { type Change, commitChange } from './change.ts'
import { addColumn, removeColumn, setProperty } from './edit-columns.ts'
import { addEntry, addTable, removeEntry } from './edit-entries.ts'
import { addNextTest, removeNextTest } from './edit-tests.ts'
import { attempt } from './refusal.ts'
import type { EditedYaml, EditOutcome, YamlEdit, YamlText } from './yaml-edit.ts'
import { parseYaml, type YamlFile } from './yaml-file.ts'

/**
 * Edits a file of properties by replacing pieces of its text, never by printing it anew: comments, quotes, indents, line
 * ends and blank lines stay as they are. Each edit is done on what the ones before it left. After each one the text is read
 * again, and what it says is compared with what was meant; an edit that cannot be done without harm is refused, and the
 * others are done.
 */
export function editYaml({ path, text }: YamlText, edits: readonly YamlEdit[]): EditedYaml {
  const read = attempt({ path, text }, () => parseYaml({ path, text }))
  if ('status' in read) return { text, outcomes: edits.map(() => read) }
  let file = read
  const outcomes = edits.map((edit): EditOutcome => {
    const answer = attempt(file, () => editOnce(file, edit))
    if (!('status' in answer)) {
      const isSame = answer.text === file.text
      file = answer
      return { status: isSame ? 'unneeded' : 'done' }
    }
    return answer
  })
  return { text: file.text, outcomes }
}

/** One edit may be several changes, as tests are; the next one is always looked for in what the last one left. */
function editOnce(file: YamlFile, edit: YamlEdit): YamlFile {
  const change = nextChange(file, edit)
  if (!change) return file
  const changed = commitChange(file, change)
  return edit.kind === 'add-tests' || edit.kind === 'remove-tests' ? editOnce(changed, edit) : changed
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
  'add-tests': addNextTest,
  'remove-tests': removeNextTest,
  'add-table': addTable,
  'add-entry': addEntry,
  'remove-entry': removeEntry,
}

/** A kind and its edit belong together, which the table above checks and a lookup cannot. */
function nextChange(file: YamlFile, edit: YamlEdit): Change | undefined {
  const change = CHANGES[edit.kind] as (file: YamlFile, edit: YamlEdit) => Change | undefined
  return change(file, edit)
}
