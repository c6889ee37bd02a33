import type { Family } from '@stagecraft/dialects'
import type { ColumnEdit, EditTest, TestProposal, Violation } from '@stagecraft/spec'
import type { ProposedTest } from '../plan/checked-edit.ts'
import type { Parent } from '../plan/subject.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import type { StoredName } from '../source-name.ts'
import { escapeText, runsInTest } from '../sql/identifiers.ts'
import { hasInvisible } from './clean-text.ts'
import type { EditSubject } from './task.ts'

const MOST_VALUES = 50
const LONGEST_VALUE = 100

/** The families whose values can be compared as a whole. */
const DISTINCT: ReadonlySet<Family> = new Set(['integer', 'decimal', 'string', 'uuid'])

interface TestRule {
  /** Returns the legal alternative; undefined if the proposal is legal. */
  readonly fault: (test: TestProposal, staged: StagedColumn, subject: EditSubject) => string | undefined
  readonly plan: (test: TestProposal, staged: StagedColumn, subject: EditSubject) => Planned
}

type Planned = Pick<ProposedTest, 'arguments' | 'parent'>

const RULES: Readonly<Record<EditTest, TestRule>> = {
  not_null: { fault: () => undefined, plan: noArguments },
  unique: { fault: uniqueFault, plan: noArguments },
  accepted_values: { fault: valuesFault, plan: planValues },
  relationships: { fault: parentFault, plan: planParent },
}

function noArguments(): Planned {
  return { arguments: {} }
}

type TestViolation = Omit<Violation, 'ordinal'>

/** Returns the reason why the proposed tests are not legal for a column. */
export function checkTests(
  { expression, operation, tests }: Pick<ColumnEdit, 'expression' | 'operation' | 'tests'>,
  staged: StagedColumn,
  subject: EditSubject,
): readonly TestViolation[] {
  const isChanged =
    Boolean(expression) || (operation !== null && operation !== 'keep' && operation !== staged.family)
  const isRepeated = new Set(tests.map(({ name }) => name)).size < tests.length
  const faults = tests.flatMap((test) => {
    const fault = RULES[test.name].fault(test, staged, subject)
    const expected = isChanged && test.name !== 'not_null' ? 'none together with an operation' : fault
    return expected === undefined ? [] : `${test.name}: ${expected}`
  })
  const all = isRepeated ? ['each test once', ...faults] : faults
  return all.map((expected) => ({ code: 'ILLEGAL_TEST', expected }))
}

/**
 * Returns a legal proposal as a planned test. It only warns, because the answer of a language model proves
 * nothing.
 */
export function plannedTest(test: TestProposal, staged: StagedColumn, subject: EditSubject): ProposedTest {
  const rule = RULES[test.name]
  return {
    name: test.name,
    ...rule.plan(test, staged, subject),
    severity: 'warn',
    evidence: 'model',
  }
}

/** Refuses `unique` where values may repeat: on references, and on most names that end in `_id`. */
function uniqueFault(_: TestProposal, { column, family, name }: StagedColumn, subject: EditSubject) {
  const stored = column?.name ?? ''
  const { key } = subject
  if (key?.columns.length === 1 && key.columns[0] === stored) return undefined
  const isReference = subject.subject.table.foreignKeys?.some(({ columns }) => columns.includes(stored))
  const isPart = key?.columns.includes(stored)
  if (isReference || isPart || /(?:^|_)(?:id|key|uuid|guid)$/i.test(name)) {
    return 'no unique on a reference or a part of a key'
  }
  return DISTINCT.has(family) ? undefined : `no unique on ${family} columns`
}

function valuesFault({ values }: TestProposal, { family }: StagedColumn): string | undefined {
  if (family !== 'string' && family !== 'integer') return `no list of values for ${family} columns`
  if (!values || values.length === 0 || values.length > MOST_VALUES) return `1 to ${MOST_VALUES} values`
  if (new Set(values).size < values.length) return 'each value once'
  const isLegal = values.every((value) =>
    family === 'integer' ? /^(?:0|-?[1-9]\d{0,14})$/.test(value) : isPlainValue(value),
  )
  if (isLegal) return undefined
  return family === 'integer' ? 'whole numbers' : `texts of at most ${LONGEST_VALUE} characters without Jinja`
}

function isPlainValue(value: string): boolean {
  return value.length <= LONGEST_VALUE && !hasInvisible(value) && !runsInTest(value) && !/[%}]\}/.test(value)
}

function planValues({ values }: TestProposal, { family }: StagedColumn, { subject }: EditSubject): Planned {
  const all = values ?? []
  return family === 'integer'
    ? { arguments: { values: all.map(Number), quote: false } }
    : { arguments: { values: all.map((value) => escapeText(value, subject.settings.dialect)) } }
}

function parentFault(
  test: TestProposal,
  { column, family }: StagedColumn,
  subject: EditSubject,
): string | undefined {
  if (!test.table || !test.column) return 'a table and a column'
  if (!DISTINCT.has(family)) return `no parent for ${family} columns`
  const isDeclared = subject.subject.table.foreignKeys?.some(
    ({ columns }) => columns.length === 1 && columns[0] === column?.name,
  )
  if (isDeclared) return 'no other parent than the declared one'
  const field = findParent(test, subject)?.columnName(test.column)
  const isItself =
    field !== undefined &&
    (test.table ?? '').toLowerCase() === subject.subject.name.table.toLowerCase() &&
    findParent(test, subject)?.spell(test.column) === column?.name
  if (isItself) return 'another column than itself'
  // If stored names are kept, a name may contain code that dbt would run.
  return field === undefined || runsInTest(field)
    ? 'a table of this run or the project, and a column of it'
    : undefined
}

function planParent(test: TestProposal, _: StagedColumn, subject: EditSubject): Planned {
  return { arguments: {}, parent: { table: parentName(test, subject), column: test.column ?? '' } }
}

function findParent(test: TestProposal, subject: EditSubject): Parent | undefined {
  return test.table === null ? undefined : subject.findParent(parentName(test, subject))
}

function parentName({ table }: TestProposal, { subject }: EditSubject): StoredName {
  return { ...subject.name, table: table ?? '' }
}
