import {
  answerSchema,
  type ColumnEdit,
  columnEditSchema,
  expressionEditSchema,
  type PlanEdit,
  type TestProposal,
  testProposalSchema,
  type Violation,
} from '@stagecraft/spec'
import { check } from '@stagecraft/spec/validate'
import { readJson } from './read-json.ts'

export interface ReadOptions {
  readonly allowExpressions: boolean
}

/** The readable part of an answer, and the violations in the rest. */
export interface EditRead {
  readonly edit: PlanEdit
  readonly violations: readonly Violation[]
  /** The number of entries that cannot be read, and do not say which column they are about. */
  readonly unplaced: number
}

type Place = readonly PropertyKey[]

/**
 * Returns the edit in the text of an answer, or the violations of its form. Malformed parts are dropped one by one;
 * obvious slips are accepted: quoted ordinals, and missing members for null.
 */
export function readEdit(text: string, options: ReadOptions): EditRead | readonly Violation[] {
  const json = readJson(text)
  if (json === undefined) return [{ code: 'NOT_JSON', expected: 'one JSON object and nothing else' }]
  const keys = new UnknownKeys()
  const top = check(answerSchema, keys.without(json, answerSchema.shape))
  if (!('value' in top)) return wrongShapes(top.faults, [])
  const { columns, description } = top.value
  if (columns === undefined && description === undefined) {
    return [{ code: 'WRONG_SHAPE', expected: 'a list at .columns' }]
  }
  if ((columns?.length ?? 0) > MOST_COLUMNS) {
    return [{ code: 'WRONG_SHAPE', expected: `at most ${MOST_COLUMNS} columns at .columns` }]
  }
  const violations: Violation[] = []
  let unplaced = 0
  const edits = (columns ?? []).flatMap((column, index) => {
    const read = readColumn(column, ['columns', index], { ...options, keys })
    violations.push(...read.violations)
    if (!read.edit && read.violations.every(({ ordinal }) => ordinal === undefined)) unplaced += 1
    return read.edit ?? []
  })
  if (description !== null && description !== undefined && typeof description !== 'string') {
    violations.push({ code: 'WRONG_SHAPE', expected: 'text or null at .description' })
  }
  if (keys.found) violations.push(UNKNOWN_KEY)
  const edit = { description: typeof description === 'string' ? description : null, columns: edits }
  return { edit, violations: violations.slice(0, MOST), unplaced }
}

/** One note for all: the known members beside them are used. */
const UNKNOWN_KEY: Violation = { code: 'UNKNOWN_KEY', expected: 'only members of the schema' }

/** Leaves out members that a schema does not have, and remembers that there were some. */
class UnknownKeys {
  found = false

  without(value: unknown, shape: Readonly<Record<string, unknown>>): unknown {
    if (!isObject(value)) return value
    const known = Object.entries(value).filter(([key]) => Object.hasOwn(shape, key))
    if (known.length < Object.keys(value).length) this.found = true
    return Object.fromEntries(known)
  }
}

/** Twice the limit of `columnsPerCall`. */
const MOST_COLUMNS = 1000

/** Enough for a repair. */
const MOST = 20

interface ColumnRead {
  readonly edit: ColumnEdit | undefined
  readonly violations: readonly Violation[]
}

interface PartOptions extends ReadOptions {
  readonly keys: UnknownKeys
}

function readColumn(column: unknown, place: Place, { allowExpressions, keys }: PartOptions): ColumnRead {
  const { shape } = allowExpressions ? expressionEditSchema : columnEditSchema
  const filled = fillColumn(keys.without(withoutNulls(column), shape), allowExpressions)
  const tests = readTests(filled, place, keys)
  const whole = isObject(filled) ? { ...filled, tests: tests.proposals } : filled
  const checked = allowExpressions ? check(expressionEditSchema, whole) : check(columnEditSchema, whole)
  if ('value' in checked) return { edit: checked.value, violations: tests.violations }
  const ordinal = isObject(filled) ? filled['ordinal'] : undefined
  return { edit: undefined, violations: wrongShapes(checked.faults, place, ordinal) }
}

/** Fills in null for missing members, and reads a number in quotes as a number. */
function fillColumn(column: unknown, allowExpressions: boolean): unknown {
  if (!isObject(column)) return column
  const { expression = null, ordinal, tests, type = null, ...rest } = column
  return {
    name: null,
    description: null,
    operation: null,
    ...rest,
    ordinal: typeof ordinal === 'string' && /^\d{1,6}$/.test(ordinal.trim()) ? Number(ordinal) : ordinal,
    tests: tests ?? [],
    ...(allowExpressions && { expression, type }),
  }
}

/** A missing member and null mean the same. */
function withoutNulls(column: unknown): unknown {
  if (!isObject(column)) return column
  return Object.fromEntries(Object.entries(column).filter(([, value]) => value !== null))
}

interface TestsRead {
  /** A list of proposals, or the value in its place. */
  readonly proposals: unknown
  readonly violations: readonly Violation[]
}

function readTests(column: unknown, place: Place, keys: UnknownKeys): TestsRead {
  const tests = isObject(column) ? column['tests'] : undefined
  if (!Array.isArray(tests)) return { proposals: tests, violations: [] }
  const ordinal = isObject(column) ? column['ordinal'] : undefined
  const proposals: TestProposal[] = []
  const violations: Violation[] = []
  for (const [index, test] of tests.slice(0, MOST_TESTS).entries()) {
    const checked = check(testProposalSchema, keys.without(fillTest(test), testProposalSchema.shape))
    if ('value' in checked) proposals.push(checked.value)
    else violations.push(...wrongShapes(checked.faults, [...place, 'tests', index], ordinal))
  }
  return { proposals, violations }
}

/** More than there are kinds of tests, so that repetitions are noticed. */
const MOST_TESTS = 20

/** A bare name is a test without arguments. */
function fillTest(test: unknown): unknown {
  const none = { values: null, table: null, column: null }
  if (typeof test === 'string') return { name: test, ...none }
  return isObject(test) ? { ...none, ...test } : test
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrongShapes(
  faults: readonly { readonly expected: string; readonly segments: readonly PropertyKey[] }[],
  place: Place,
  ordinal?: unknown,
): readonly Violation[] {
  return faults.slice(0, MOST).map(({ expected, segments }) => ({
    code: 'WRONG_SHAPE',
    ...(typeof ordinal === 'number' && { ordinal }),
    expected: `${expected} at ${printPlace([...place, ...segments])}`,
  }))
}

const KEYS = new Set(
  'description columns ordinal name operation expression type tests values table column'.split(' '),
)

/** Returns a place by the keys of the schema; unknown keys of the answer are not repeated. */
function printPlace(segments: readonly PropertyKey[]): string {
  const shown = segments.map((segment) => {
    if (typeof segment === 'number') return `[${segment}]`
    return KEYS.has(String(segment)) ? `.${String(segment)}` : '.?'
  })
  return shown.join('') || 'the top'
}
