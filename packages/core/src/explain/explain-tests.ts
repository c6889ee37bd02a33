import type { Decision, EvidenceKind, Reason } from '@stagecraft/spec'
import type { Evidence, Plan, PlannedTest } from '../plan/plan.ts'
import type { Subject } from '../plan/subject.ts'
import type { ColumnFacts } from './explain-name.ts'
import type { SettingsOf } from './settings-of.ts'

/** The evidence of tests and keys, as explanations name it. */
export const KIND_OF_EVIDENCE: Readonly<Record<Evidence, EvidenceKind>> = {
  'primary key': 'constraint',
  'unique constraint': 'constraint',
  'foreign key': 'constraint',
  'not null constraint': 'constraint',
  'list of values': 'values',
  configuration: 'configuration',
  loader: 'loader',
  comment: 'comment',
  rows: 'rows',
  name: 'name',
  model: 'backend',
}

/** The words for each kind of evidence. */
const EVIDENCE_TEXTS: Readonly<Record<Evidence, (subject: Subject, comment: string | undefined) => string>> =
  {
    'primary key': ({ table }) =>
      `the table declares the primary key (${table.primaryKey?.join(', ') ?? ''})`,
    'unique constraint': () => 'the table has this unique constraint',
    'foreign key': () => 'the table has this foreign key',
    'not null constraint': () => 'the column has a NOT NULL constraint',
    'list of values': () =>
      'the warehouse lists all values in an enum type, a CHECK constraint or a document',
    configuration: () => 'stagecraft.yml states it',
    loader: ({ loader }) => `${loader?.title ?? 'the loader'} guarantees it`,
    comment: (_, comment) =>
      comment === undefined ? 'a comment states it' : `its comment is ${JSON.stringify(comment)}`,
    rows: ({ table }) =>
      table.observed === undefined
        ? 'the rows confirm it'
        : `the rows confirm it: ${table.observed.sampled ? 'a sample of ' : ''}${table.observed.rows} were read`,
    name: () => 'only its name indicates it',
    model: () => 'a language model proposed it, and it passed the checks',
  }

/** Explains the evidence of a test or key. */
export function explainEvidence(evidence: Evidence, subject: Subject, column?: string): string {
  const comment = subject.columns.find(({ name }) => name === column)?.comment?.trim()
  return EVIDENCE_TEXTS[evidence](subject, comment)
}

/** Explains the tests of a column, or why there is none. */
export function explainTests({ column, settings, subject }: ColumnFacts, { key }: Plan): readonly Decision[] {
  const keys = keysOfTests(column.source, settings)
  if (column.tests.length === 0) return [withoutTests(keys, settings)]
  return column.tests.map((test) => {
    const isOfKey = column.source !== undefined && (key?.columns.includes(column.source) ?? false)
    return explainTest(test, { subject, settings, column: column.source, isOfKey })
  })
}

interface TestFacts {
  readonly subject: Subject
  readonly settings: SettingsOf
  /** The stored column; undefined for a test of the whole model. */
  readonly column: string | undefined
  readonly isOfKey: boolean
}

/** Explains one test. */
export function explainTest(test: PlannedTest, { column, isOfKey, settings, subject }: TestFacts): Decision {
  const { name, evidence, severity } = test
  const warns = severity === 'warn' ? '; it only warns' : ''
  const addTests = settings.setting('options', 'addTests').key
  const own =
    name === 'accepted_values' && column !== undefined
      ? [settings.column(column, 'values')]
      : isOfKey
        ? [settings.table('key')]
        : []
  return {
    about: 'test',
    value: printTest(test),
    reasons: [
      {
        rule: `test.${name}`,
        evidence: KIND_OF_EVIDENCE[evidence],
        text: `${explainEvidence(evidence, subject, column)}${warns}`,
      },
    ],
    keys: [...own, addTests],
  }
}

/** `relationships to ref('stg_shop__customers') field customer_id`, `accepted_values values open, paid`. */
function printTest({ arguments: given, name }: PlannedTest): string {
  return [name, ...Object.entries(given).map(([key, value]) => `${key} ${printArgument(value)}`)].join(' ')
}

function printArgument(value: unknown): string {
  if (Array.isArray(value)) return value.map(printArgument).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function keysOfTests(column: string | undefined, settings: SettingsOf): readonly string[] {
  return [
    ...(column === undefined ? [] : [settings.column(column, 'values')]),
    settings.table('key'),
    settings.setting('options', 'addTests').key,
  ]
}

function withoutTests(keys: readonly string[], settings: SettingsOf): Decision {
  const asked = settings.setting('options', 'addTests')
  const reason: Reason = asked.isOn
    ? {
        rule: 'test.none',
        evidence: 'convention',
        text: 'no constraint, comment, row or name supports one',
      }
    : { rule: 'test.off', evidence: asked.evidence, text: asked.text }
  return { about: 'test', reasons: [reason], keys: asked.isOn ? keys : [asked.key] }
}
