import type { Family } from '@stagecraft/dialects'
import type { ColumnEdit, Violation } from '@stagecraft/spec'
import { planColumns } from '../plan/columns.ts'
import type { CheckedEdit } from '../plan/checked-edit.ts'
import { findDeletedRows } from '../plan/rows.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { parseType } from '../sql/types.ts'
import { LOSSES } from './expression-traits.ts'
import type { ExpressionTree } from './expression-tree.ts'
import { partsOfName } from './rename-words.ts'
import type { ConvertedValue } from './converted-value.ts'
import type { EditSubject } from './task.ts'
import { fillFault, letterFault, mappingFault, mixFault, partFault } from './value-reasons.ts'
import { sentinelFault } from './value-sentinels.ts'
import { castFault, shiftFault } from './value-losses.ts'
import { formatFault, zoneFault } from './value-times.ts'
import * as names from './value-names.ts'
import { guessesUnit, scaleFault } from './value-scale.ts'
import { truthFault } from './value-truth.ts'

/** Returns the expression that an edit gives a column; undefined if it converts nothing. */
export type TreeOf = (edit: ColumnEdit, staged: StagedColumn) => ExpressionTree | undefined

/**
 * Plans a table with an edit, and finds columns whose new values contradict their names or types. An edit must keep
 * each value, or change it in a way that the name or the comment gives a reason for.
 */
export function checkValues(
  columns: readonly ColumnEdit[],
  checked: CheckedEdit,
  { subject, treeOf }: { readonly subject: EditSubject; readonly treeOf: TreeOf },
): readonly Violation[] {
  if (subject.subject.settings.options.casts === 'none') return []
  const planned = new Map(planWith(checked, subject).map((staged) => [staged.ordinal, staged]))
  const ruled = new Map(subject.columns.map((staged) => [staged.ordinal, staged]))
  return columns.flatMap((edit): readonly Violation[] => {
    const [staged, before] = [planned.get(edit.ordinal), ruled.get(edit.ordinal)]
    const tree = before && !before.config.lossy ? treeOf(edit, before) : undefined
    if (!staged || !before || !tree) return []
    const expected = valueFault(converted(tree, { staged, before, subject }))
    return expected === undefined ? [] : [{ code: 'VALUES_LOST', ordinal: edit.ordinal, expected }]
  })
}

function planWith(edit: CheckedEdit, { key, subject }: EditSubject): readonly StagedColumn[] {
  const edited = { ...subject, item: { ...subject.item, edit } }
  return planColumns({ subject: edited, key, deleted: findDeletedRows(edited) }).columns
}

interface Planned {
  readonly staged: StagedColumn
  /** As the rules alone plan it. */
  readonly before: StagedColumn
  readonly subject: EditSubject
}

function converted(tree: ExpressionTree, { before, staged, subject }: Planned): ConvertedValue {
  return {
    ...storedValue(tree, staged, subject),
    to: staged.family,
    staged: wordsOf(staged.name),
    isRenamed: staged.name !== before.name,
  }
}

/** What is known of a value before it is planned. */
type StoredValue = Omit<ConvertedValue, 'to' | 'staged' | 'isRenamed'>

function storedValue(tree: ExpressionTree, { column }: StagedColumn, { subject }: EditSubject): StoredValue {
  const { dialect } = subject.settings
  const { comment, name = '', type = '' } = column ?? {}
  const { family: from } = parseType(type, dialect)
  const said = comment ?? ''
  return { tree, column: name, type, from, dialect, raw: wordsOf(name), comment: wordsOf(said), said }
}

/** Returns what a conversion assumes without evidence, in fixed words. */
export function guessesOf(
  tree: ExpressionTree | undefined,
  staged: StagedColumn,
  subject: EditSubject,
): readonly string[] {
  return tree && guessesUnit(storedValue(tree, staged, subject)) ? [LOSSES.unit] : []
}

function wordsOf(text: string): readonly string[] {
  return partsOfName(toSnakeCase(text))
}

const NUMBERS: ReadonlySet<Family> = new Set<Family>(['integer', 'decimal', 'float'])

function valueFault(value: ConvertedValue): string | undefined {
  const { from, raw, staged, to } = value
  if (isConversion(value) && names.promisesOther(staged, to, from))
    return `a conversion that the name agrees with: ${to} contradicts it`
  if (from === 'string' && NUMBERS.has(to) && names.isCode(raw))
    return 'text for a code or an identifier, whose leading zeros count'
  return (
    castFault(value) ??
    shiftFault(value) ??
    zoneFault(value) ??
    formatFault(value) ??
    scaleFault(value) ??
    truthFault(value) ??
    fillFault(value) ??
    sentinelFault(value) ??
    partFault(value) ??
    mixFault(value) ??
    mappingFault(value) ??
    letterFault(value)
  )
}

/** Returns true if the family changes; wider numbers are no conversion. */
function isConversion({ from, to }: ConvertedValue): boolean {
  return from !== to && !(NUMBERS.has(from) && NUMBERS.has(to))
}
