import type { EditTest, TestProposal, Violation } from '@stagecraft/spec'
import type { Family } from '../dialects/dialect.ts'
import type { PlannedTest } from '../plan/plan.ts'
import type { Parent } from '../plan/parents.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { escapeText } from '../sql/identifiers.ts'
import { hasJinja } from '../sql/jinja.ts'
import { hasInvisible } from './clean-text.ts'
import type { EditSubject } from './task.ts'

const MOST_VALUES = 50
const LONGEST_VALUE = 100

/** What can be compared as a whole. */
const DISTINCT: ReadonlySet<Family> = new Set(['integer', 'decimal', 'string', 'uuid'])

interface TestRule {
  /** Says what would be legal; undefined when the proposal is. */
  readonly fault: (test: TestProposal, staged: StagedColumn, subject: EditSubject) => string | undefined
  readonly arguments: (
    test: TestProposal,
    staged: StagedColumn,
    subject: EditSubject,
  ) => PlannedTest['arguments']
}

const RULES: Readonly<Record<EditTest, TestRule>> = {
  not_null: { fault: () => undefined, arguments: () => ({}) },
  unique: { fault: uniqueFault, arguments: () => ({}) },
  accepted_values: { fault: valuesFault, arguments: valuesArguments },
  relationships: { fault: parentFault, arguments: parentArguments },
}

/** Says why a proposed test is not legal for a column; undefined when it is. */
export function checkProposal(
  test: TestProposal,
  staged: StagedColumn,
  subject: EditSubject,
): Omit<Violation, 'ordinal'> | undefined {
  const expected = RULES[test.name].fault(test, staged, subject)
  return expected === undefined ? undefined : { code: 'ILLEGAL_TEST', expected: `${test.name}: ${expected}` }
}

/** A legal proposal as the plan has it. It warns, because a model's word proves nothing. */
export function plannedTest(test: TestProposal, staged: StagedColumn, subject: EditSubject): PlannedTest {
  const rule = RULES[test.name]
  return {
    name: test.name,
    arguments: rule.arguments(test, staged, subject),
    severity: 'warn',
    evidence: 'model',
  }
}

/** A column that refers to something has its values many times, and many a name ends in `_id`. */
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
    family === 'integer' ? /^-?\d{1,15}$/.test(value) : isPlainValue(value),
  )
  if (isLegal) return undefined
  return family === 'integer' ? 'whole numbers' : `texts of at most ${LONGEST_VALUE} characters without Jinja`
}

function isPlainValue(value: string): boolean {
  return value.length <= LONGEST_VALUE && !hasInvisible(value) && !hasJinja(value) && !/[%}]\}/.test(value)
}

function valuesArguments({ values }: TestProposal, { family }: StagedColumn, { subject }: EditSubject) {
  const all = values ?? []
  return family === 'integer'
    ? { values: all.map(Number), quote: false }
    : { values: all.map((value) => escapeText(value, subject.settings.dialect)) }
}

function parentFault(test: TestProposal, { column }: StagedColumn, subject: EditSubject): string | undefined {
  if (!test.table || !test.column) return 'a table and a column'
  const isDeclared = subject.subject.table.foreignKeys?.some(
    ({ columns }) => columns.length === 1 && columns[0] === column?.name,
  )
  if (isDeclared) return 'no other parent than the declared one'
  const field = findParent(test, subject)?.columnName(test.column)
  return field === undefined ? 'a table of this run or the project, and a column of it' : undefined
}

function parentArguments(
  test: TestProposal,
  _: StagedColumn,
  subject: EditSubject,
): PlannedTest['arguments'] {
  const parent = findParent(test, subject)
  return { to: `ref('${parent?.model}')`, field: parent?.columnName(test.column ?? '') }
}

function findParent({ table }: TestProposal, { findParent: find, subject }: EditSubject): Parent | undefined {
  const { database, schema } = subject.name
  return table === null ? undefined : find({ database, schema, table })
}
