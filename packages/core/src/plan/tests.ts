import { type Warning, compareText } from '@stagecraft/spec'
import type { StagedColumn } from './staged-column.ts'
import type { ProposedTest } from './checked-edit.ts'
import type { Key } from './key.ts'
import type { FindParent } from './parents.ts'
import type { Evidence, PlannedTest } from './plan.ts'
import { readComment } from './read-comment.ts'
import { columnEditOf, type Subject } from './subject.ts'
import { type KeyTests, testUniqueness } from './test-keys.ts'
import { type Reference, testReference } from './test-references.ts'
import { testValues } from './test-values.ts'

export interface TestInput {
  readonly subject: Subject
  readonly key: Key | undefined
  readonly columns: readonly StagedColumn[]
  readonly references: readonly Reference[]
  readonly findParent: FindParent
  /** A row may stand in the model several times, as in a snapshot: no test may say otherwise. */
  readonly rowsRepeat: boolean
  /** Rows of the model may repeat the key, so that it is not tested for being unique. */
  readonly keyRepeats: boolean
}

export interface TestDecision {
  /** By the ordinal of the column. */
  readonly onColumns: ReadonlyMap<number, readonly PlannedTest[]>
  readonly onModel: readonly PlannedTest[]
  readonly warnings: readonly Warning[]
}

/** The order in which the tests of one column are written. */
const TEST_ORDER = ['unique', 'not_null', 'accepted_values', 'relationships']

/** Every test that evidence supports, and a warning for each that had to stay away. */
export function planTests(input: TestInput): TestDecision {
  const { columns, references, rowsRepeat, subject } = input
  const unique = rowsRepeat ? [] : uniquenessTests(input)
  const others = [
    ...columns.map((column) => [column.ordinal, testValues(column, subject)] as const),
    ...(rowsRepeat
      ? []
      : references.map(
          (reference) => [reference.column.ordinal, testReference(reference, subject)] as const,
        )),
  ]
  const proven = [
    ...unique.flatMap((tests) => tests.onColumns),
    ...notNullTests(input),
    ...others.filter(
      (entry): entry is [number, PlannedTest] => entry[1] !== undefined && 'evidence' in entry[1],
    ),
  ]
  const found = [...proven, ...proposedTests(input, proven)]
  return {
    onColumns: byColumn(found),
    onModel: unique.flatMap((tests) => tests.onModel),
    warnings: [
      ...unique.flatMap((tests) => tests.warnings),
      ...others
        .map(([, test]) => test)
        .filter((test): test is Warning => test !== undefined && 'code' in test),
    ],
  }
}

/** The key, and what else a constraint declares unique, each set of columns once. */
function uniquenessTests({ columns, key, keyRepeats, subject }: TestInput): readonly KeyTests[] {
  const declared = (subject.table.uniqueKeys ?? []).map((names) => stagedOf(names, columns))
  const total = declared.filter(
    (set) => set.length === 1 || set.every(({ column }) => column?.nullable === false),
  )
  const sets = total
    .toSorted((a, b) => compareText(identify(a), identify(b)))
    .map((set) => ({ set, evidence: 'unique constraint' as Evidence }))
  sets.push(
    ...columns
      .filter(({ column }) => readComment(column?.comment).isUnique)
      .map((column) => ({ set: [column], evidence: 'comment' as Evidence })),
  )
  if (key && !keyRepeats) sets.unshift({ set: stagedOf(key.columns, columns), evidence: key.evidence })
  const distinct = new Map(sets.toReversed().map((found) => [identify(found.set), found]))
  return sets
    .filter((found) => found.set.length > 0 && distinct.get(identify(found.set)) === found)
    .map(({ evidence, set }) => testUniqueness(set, evidence, subject))
}

/** The staged columns of a key in the order of the table; none when one of them is not staged. */
function stagedOf(names: readonly string[], columns: readonly StagedColumn[]): readonly StagedColumn[] {
  const staged = columns.filter(({ column }) => column && names.includes(column.name))
  return staged.length === names.length ? staged.toSorted((a, b) => a.ordinal - b.ordinal) : []
}

function identify(set: readonly StagedColumn[]): string {
  return set.map(({ ordinal }) => String(ordinal).padStart(5, '0')).join(' ')
}

function notNullTests({ columns, key }: TestInput): readonly (readonly [number, PlannedTest])[] {
  return columns.flatMap(({ column, ordinal }) => {
    const evidence = notNullEvidence(column, key)
    if (!evidence) return []
    const severity = evidence === 'name' || evidence === 'comment' ? 'warn' : 'error'
    return [[ordinal, { name: 'not_null', arguments: {}, severity, evidence }] as const]
  })
}

function notNullEvidence(column: StagedColumn['column'], key: Key | undefined): Evidence | undefined {
  if (!column) return undefined
  const isKey = key?.columns.includes(column.name) ?? false
  if (key && isKey && key.evidence !== 'name' && key.evidence !== 'comment') return key.evidence
  if (column.nullable === false) return 'not null constraint'
  return isKey ? key?.evidence : undefined
}

/**
 * Returns the tests that a backend proposes besides the proven ones: a test that exists already stays
 * unchanged.
 */
function proposedTests(
  { columns, findParent, subject }: TestInput,
  proven: readonly (readonly [number, PlannedTest])[],
): readonly (readonly [number, PlannedTest])[] {
  const isProven = (ordinal: number, { name }: PlannedTest): boolean =>
    proven.some(([other, test]) => other === ordinal && test.name === name)
  return columns.flatMap(({ ordinal }) =>
    (columnEditOf(subject, ordinal)?.tests ?? [])
      .filter((test) => !isProven(ordinal, test))
      .flatMap((test) => withParent(test, findParent))
      .map((test) => [ordinal, test] as const),
  )
}

function withParent(
  { parent: wanted, ...test }: ProposedTest,
  findParent: FindParent,
): readonly PlannedTest[] {
  if (!wanted) return [test]
  const parent = findParent(wanted.table)
  const field = parent?.columnName(wanted.column)
  return parent && field !== undefined
    ? [{ ...test, arguments: { to: `ref('${parent.model}')`, field } }]
    : []
}

function byColumn(
  found: readonly (readonly [number, PlannedTest])[],
): ReadonlyMap<number, readonly PlannedTest[]> {
  const tests = new Map<number, PlannedTest[]>()
  for (const [ordinal, test] of found) tests.set(ordinal, [...(tests.get(ordinal) ?? []), test])
  for (const list of tests.values())
    list.sort((a, b) => TEST_ORDER.indexOf(a.name) - TEST_ORDER.indexOf(b.name))
  return tests
}
