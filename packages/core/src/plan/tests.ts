import type { Family } from '@stagecraft/dialects'
import { type ColumnValue, type Warning, compareText } from '@stagecraft/spec'
import { escapeText, runsInTest } from '../sql/identifiers.ts'
import { SettingsOf } from '../explain/settings-of.ts'
import type { ProposedTest } from './checked-edit.ts'
import { areBooleans } from './conversions.ts'
import { withFigures } from './figures.ts'
import { isCertain } from './key.ts'
import type { Evidence, Key, PlannedTest } from './plan.ts'
import { readComment } from './read-comment.ts'
import type { StagedColumn } from './staged-column.ts'
import { type FindParent, type Subject, columnEditOf, hasDbtUtils } from './subject.ts'
import { type KeyTests, testUniqueness } from './test-uniqueness.ts'
import { type Reference, testReference } from './test-references.ts'

/** Returns `accepted_values` for a closed list, unless the conversion changes the values. */
function testValues(staged: StagedColumn, subject: Subject): PlannedTest | Warning | undefined {
  const { change, column, config, family } = staged
  const { settings, table } = subject
  const declared = config.values ?? column?.values
  const observed = table.observed?.values?.find((list) => list.column === column?.name)?.values
  const commented = valuesOfComment(column?.comment, family)
  const values = declared ?? commented ?? observed
  const isList = values !== undefined && family !== 'boolean' && change === 'none'
  if (!column) return undefined
  if (!isList) return valuesNotUsed(staged, subject)
  if (values.some((value) => typeof value === 'string' && runsInTest(value))) return notTestable(column.name)
  const quote = family === 'string' || values.some((value) => typeof value === 'string')
  return {
    name: 'accepted_values',
    arguments: {
      values: distinct(values).map((value) => writeValue(value, settings)),
      ...(!quote && { quote: false }),
    },
    severity: config.values || (declared && settings.dialect.ddl.enforcesKeys) ? 'error' : 'warn',
    ...(config.values
      ? { evidence: 'configuration' }
      : declared
        ? { evidence: 'list of values' }
        : commented
          ? { evidence: 'comment' }
          : { evidence: 'rows', ...withFigures('the only values of {rows}', subject) }),
  }
}

/**
 * Warns about configured values without effect. They turn a column into a boolean, or they are tested; other
 * conversions do not use them.
 */
function valuesNotUsed(
  { column, config, family, reasons }: StagedColumn,
  subject: Subject,
): Warning | undefined {
  const { values } = config
  const isUsed = reasons.value === 'values' || (reasons.value === 'as' && areBooleans(values))
  if (!values || !column || isUsed) return undefined
  const why = family === 'boolean' ? 'the column is true or false' : 'the column is converted'
  const message = `${new SettingsOf(subject).column(column.name, 'values')} in the configuration has no effect: ${why}, so no list of its values is tested`
  return { code: 'CONFIG_NOT_USED', message, column: column.name }
}

const RANGE = 'dbt_utils.accepted_range'

/** Tests the bounds of numbers, if the project has the package with the test and the number is staged unchanged. */
function testRange(
  { change, column, config }: StagedColumn,
  subject: Subject,
): PlannedTest | Warning | undefined {
  const observed = subject.table.observed?.ranges?.find((one) => one.column === column?.name)
  const range = config.range ?? observed
  if (!range || !column || change !== 'none') return undefined
  if (!hasDbtUtils(subject)) return config.range && rangeWithoutPackage(column.name)
  const { max, min } = range
  return {
    name: RANGE,
    arguments: { ...(min !== undefined && { min_value: min }), ...(max !== undefined && { max_value: max }) },
    ...(config.range
      ? { severity: 'error', evidence: 'configuration' }
      : { severity: 'warn', evidence: 'rows', ...withFigures('true of {rows}', subject) }),
  }
}

function rangeWithoutPackage(column: string): Warning {
  return {
    code: 'RANGE_WITHOUT_PACKAGE',
    message: `the range of ${column} is not tested; add dbt_utils to packages.yml for ${RANGE}`,
    column,
  }
}

const NUMBERS: ReadonlySet<Family> = new Set(['decimal', 'float', 'integer'])

/** Returns the list of a comment, if its values fit the type of the column. */
function valuesOfComment(comment: string | undefined, family: Family): readonly ColumnValue[] | undefined {
  const { values } = readComment(comment)
  if (family === 'string') return values?.map(String)
  return NUMBERS.has(family) && values?.every((value) => typeof value === 'number') ? values : undefined
}

function distinct(values: readonly ColumnValue[]): readonly ColumnValue[] {
  return [...new Set(values)]
}

/** Escapes a value, because the macro of dbt puts it between single quotes unchanged. */
function writeValue(value: ColumnValue, { dialect }: Subject['settings']): ColumnValue {
  return typeof value === 'string' ? escapeText(value, dialect) : value
}

function notTestable(column: string): Warning {
  return {
    code: 'VALUES_NOT_TESTABLE',
    message: `the values of ${column} contain text that dbt would execute, so there is no accepted_values test`,
    column,
  }
}

interface TestInput {
  readonly subject: Subject
  readonly key: Key | undefined
  readonly columns: readonly StagedColumn[]
  readonly references: readonly Reference[]
  readonly findParent: FindParent
  /** True if a row may occur several times in the model, as in a snapshot, so no test may claim uniqueness. */
  readonly rowsRepeat: boolean
  /** True if rows of the model may repeat the key, so its uniqueness is not tested. */
  readonly keyRepeats: boolean
}

export interface TestDecision {
  /** By the ordinal of the column. */
  readonly onColumns: ReadonlyMap<number, readonly PlannedTest[]>
  readonly onModel: readonly PlannedTest[]
  readonly warnings: readonly Warning[]
}

/** The order in which the tests of one column are written. */
const TEST_ORDER = ['unique', 'not_null', 'accepted_values', RANGE, 'relationships']

/** Plans every test that evidence supports, and a warning for each omitted one. */
export function planTests(input: TestInput): TestDecision {
  const { columns, references, rowsRepeat, subject } = input
  const unique = rowsRepeat ? [] : uniquenessTests(input)
  const others = [
    ...onEach(columns, (column) => testValues(column, subject)),
    ...onEach(columns, (column) => testRange(column, subject)),
    ...(rowsRepeat
      ? []
      : references.map(
          (reference) => [reference.column.ordinal, testReference(reference, subject)] as const,
        )),
  ]
  const proven = [
    ...unique.flatMap((tests) => tests.onColumns),
    ...notNullTests(input),
    ...others.filter((entry): entry is [number, PlannedTest] => 'evidence' in entry[1]),
  ]
  const found = [...proven, ...proposedTests(input, proven)]
  return {
    onColumns: byColumn(found),
    onModel: unique.flatMap((tests) => tests.onModel),
    warnings: [
      ...unique.flatMap((tests) => tests.warnings),
      ...others.map(([, test]) => test).filter((test): test is Warning => 'code' in test),
    ],
  }
}

type TestOrWarning = readonly [ordinal: number, test: PlannedTest | Warning]

/** Returns the tests and warnings of the columns that have one. */
function onEach(
  columns: readonly StagedColumn[],
  test: (column: StagedColumn) => PlannedTest | Warning | undefined,
): readonly TestOrWarning[] {
  const found: TestOrWarning[] = []
  for (const column of columns) {
    const made = test(column)
    if (made) found.push([column.ordinal, made])
  }
  return found
}

/** Tests the key and further unique constraints, each set of columns once. */
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

/** Returns the staged columns of a key in the order of the table; empty if one of them is not staged. */
function stagedOf(names: readonly string[], columns: readonly StagedColumn[]): readonly StagedColumn[] {
  const staged = columns.filter(({ column }) => column && names.includes(column.name))
  return staged.length === names.length ? staged.toSorted((a, b) => a.ordinal - b.ordinal) : []
}

function identify(set: readonly StagedColumn[]): string {
  return set.map(({ ordinal }) => String(ordinal).padStart(8, '0')).join(' ')
}

function notNullTests({ columns, key, subject }: TestInput): readonly (readonly [number, PlannedTest])[] {
  return columns.flatMap((staged) => {
    const evidence = notNullEvidence(staged, key, subject)
    if (!evidence) return []
    const isKey = key?.columns.includes(staged.column?.name ?? '') ?? false
    const isSure =
      evidence !== 'name' &&
      evidence !== 'comment' &&
      (evidence !== 'rows' ||
        (isKey && subject.table.observed !== undefined && isCertain(subject.table.observed)))
    const test: PlannedTest = {
      name: 'not_null',
      arguments: {},
      severity: isSure ? 'error' : 'warn',
      evidence,
      ...(evidence === 'rows' && withFigures('no null in {rows}', subject)),
    }
    return [[staged.ordinal, test] as const]
  })
}

function notNullEvidence(
  { column, config }: StagedColumn,
  key: Key | undefined,
  { table }: Subject,
): Evidence | undefined {
  if (!column) return undefined
  if (config.notNull) return 'configuration'
  const isKey = key?.columns.includes(column.name) ?? false
  if (key && isKey && key.evidence !== 'name' && key.evidence !== 'comment') return key.evidence
  if (column.nullable === false) return 'not null constraint'
  if (table.observed?.notNull?.includes(column.name)) return 'rows'
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
  if (!subject.item.edit) return []
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
  for (const [ordinal, test] of found) {
    const list = tests.get(ordinal)
    if (list) list.push(test)
    else tests.set(ordinal, [test])
  }
  for (const list of tests.values()) {
    if (list.length > 1) list.sort((a, b) => TEST_ORDER.indexOf(a.name) - TEST_ORDER.indexOf(b.name))
  }
  return tests
}
