import { StagecraftError } from '@stagecraft/spec'
import { needsQuotes, printIdentifier, quoteIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'
import { planColumns } from './columns.ts'
import type { StagedColumn } from './staged-column.ts'
import { findKey } from './key.ts'
import { joinKey } from './conversions.ts'
import type { Key, Plan, SnapshotPlan } from './plan.ts'
import type { PlanContext, Subject } from './subject.ts'
import { planRows } from './rows.ts'
import { finishColumn, modelFrame, NO_TESTS, planFrame } from './staging.ts'
import { planTests } from './tests.ts'

/**
 * Plans a snapshot of the source's own columns. It keeps every version of each row from now on.
 *
 * @throws {StagecraftError} INVALID_REQUEST if no key of the table is known.
 */
export function planSnapshot({ findParent, subject }: PlanContext): Plan {
  const { options } = subject.settings
  const frame = planFrame(subject)
  const key = findKey(subject) ?? withoutKey(subject)
  const { rows, warnings } = planRows(subject, key, undefined)
  const planned = planColumns({ subject, key, deleted: undefined })
  const staged = planned.columns.toSorted((a, b) => a.ordinal - b.ordinal)
  const columns = staged.map((column) => asStored(column, subject))
  const tests = options.addTests
    ? planTests({ subject, key, columns, references: [], findParent, rowsRepeat: true, keyRepeats: true })
    : NO_TESTS
  return {
    ...frame,
    style: { ...frame.style, groups: false },
    model: {
      ...modelFrame(subject),
      contract: false,
      description: options.addDocs ? describeSnapshot(subject, key) : undefined,
      tests: [],
    },
    columns: columns.map((column) => finishColumn(column, { subject, key, references: [] }, tests.onColumns)),
    leftOut: planned.leftOut,
    key,
    rows,
    snapshot: planChanges(subject, key, staged),
    warnings: [...subject.warnings, ...warnings, ...tests.warnings],
  }
}

/** @throws {StagecraftError} INVALID_REQUEST if no key of the table is known. */
export function assertSnapshotKey(subject: Subject): void {
  if (!findKey(subject)) withoutKey(subject)
}

function withoutKey({ name }: Subject): never {
  const expected = `a table with a key: ${name.table} declares none, and no column name suggests one`
  throw new StagecraftError(
    'INVALID_REQUEST',
    `type "snapshot" needs ${expected}; set its key in stagecraft.yml, under sources.<schema>.tables.${name.table}.key`,
    { details: { faults: [{ path: 'source', expected, received: name.table }] } },
  )
}

/** A snapshot renames and converts nothing. */
function asStored(staged: StagedColumn, { settings }: Subject): StagedColumn {
  const name = staged.column?.name ?? staged.name
  const { family, text } = parseType(staged.column?.type ?? '', settings.dialect)
  const alias = printIdentifier(name, settings.dialect)
  const quoted = needsQuotes(name, settings.dialect)
  const shown = quoted || settings.dialect.identifiers.folds !== 'upper' ? name : name.toLowerCase()
  return {
    ...staged,
    name: shown,
    alias,
    quoted,
    expression: [alias],
    family,
    dataType: text,
    change: 'none',
    conversion: undefined,
    reasons: { ...staged.reasons, name: ['stored'], value: 'snapshot' },
  }
}

/**
 * Detects changes by the time of the last change if the table has one, else by comparing the columns of the source
 * system.
 */
function planChanges({ settings }: Subject, key: Key, staged: readonly StagedColumn[]): SnapshotPlan {
  const reference = (stored: string): string =>
    needsQuotes(stored, settings.dialect)
      ? quoteIdentifier(stored, settings.dialect)
      : printIdentifier(stored, settings.dialect)
  const isTime = ({ column }: StagedColumn): boolean =>
    column !== undefined && parseType(column.type, settings.dialect).family.startsWith('timestamp')
  const updated = staged.find((one) => one.name === 'updated_at' && isTime(one))
  const stored = staged.flatMap(({ column, isMetadata }) => (column && !isMetadata ? [column.name] : []))
  const hasMetadata = stored.length < staged.length
  const parts = staged.filter(({ column }) => column && key.columns.includes(column.name))
  return {
    uniqueKey: key.columns.map(reference),
    joinedKey: joinKey(
      parts.map(({ column, family }) => ({
        sql: reference(column?.name ?? ''),
        isText: family === 'string',
      })),
      settings.dialect,
    ),
    updatedAt: updated?.column && reference(updated.column.name),
    checkColumns: hasMetadata ? stored : 'all',
  }
}

function describeSnapshot({ name, settings, table }: Subject, key: Key): Plan['model']['description'] {
  if (settings.table.description !== undefined) return { text: settings.table.description, origin: 'user' }
  if (table.comment?.trim()) return { text: table.comment.trim(), origin: 'comment' }
  const columns = key.columns.map((column) => `\`${column}\``).join(' and ')
  return {
    text: `Every version of each row of ${name.table}, by ${columns}.`,
    origin: 'rule',
    rule: 'snapshot',
  }
}
