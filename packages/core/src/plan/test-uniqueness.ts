import type { Dialect } from '@stagecraft/dialects'
import type { Warning } from '@stagecraft/spec'
import { escapeIdentifier, runsInTest } from '../sql/identifiers.ts'
import { joinKey } from './conversions.ts'
import { withFigures } from './figures.ts'
import { isCertain } from './key.ts'
import type { Evidence, PlannedTest } from './plan.ts'
import type { StagedColumn } from './staged-column.ts'
import { hasDbtUtils, type Subject } from './subject.ts'

/** Tests that some columns together identify a row. */
export interface KeyTests {
  /** By the ordinal of their column. */
  readonly onColumns: readonly (readonly [ordinal: number, test: PlannedTest])[]
  readonly onModel: readonly PlannedTest[]
  readonly warnings: readonly Warning[]
}

const COMBINATION = 'dbt_utils.unique_combination_of_columns'

/**
 * Returns `unique` for one column. For several, returns the test of the project's packages, else `unique` on an
 * expression.
 */
export function testUniqueness(
  columns: readonly StagedColumn[],
  evidence: Evidence,
  subject: Subject,
): KeyTests {
  const severity = severityOf(evidence, subject)
  const { key, rows } = subject.table.observed ?? {}
  const reason = {
    severity,
    evidence,
    ...(evidence === 'rows' && withFigures('unique in {rows}', subject, key?.rows ?? rows)),
  }
  const [only] = columns
  if (!only) return { onColumns: [], onModel: [], warnings: [] }
  if (columns.length === 1) {
    return {
      onColumns: [[only.ordinal, { name: 'unique', arguments: {}, ...reason }]],
      onModel: [],
      warnings: [],
    }
  }
  const hasPackage = hasDbtUtils(subject)
  const isRunnable = columns.some(({ name }) => runsInTest(name))
  const test =
    hasPackage && !isRunnable
      ? combination(columns, subject.settings.dialect)
      : expression(columns, subject.settings.dialect)
  return {
    onColumns: [],
    onModel: [{ ...test, ...reason }],
    warnings: hasPackage ? [] : [WITHOUT_PACKAGE],
  }
}

/** A key known only by name may be wrong; unenforced constraints may be violated. */
function severityOf(evidence: Evidence, { settings, table }: Subject): PlannedTest['severity'] {
  if (evidence === 'unique constraint') return settings.dialect.ddl.enforcesKeys ? 'error' : 'warn'
  if (evidence === 'rows' && table.observed && !isCertain(table.observed)) return 'warn'
  return evidence === 'name' || evidence === 'comment' ? 'warn' : 'error'
}

function combination(
  columns: readonly StagedColumn[],
  dialect: Dialect,
): Pick<PlannedTest, 'name' | 'arguments'> {
  const quotes = columns.some(({ quoted }) => quoted)
  const names = columns.map(({ name }) => (quotes ? escapeIdentifier(name, dialect) : name))
  return {
    name: COMBINATION,
    arguments: { combination_of_columns: names, ...(quotes && { quote_columns: true }) },
  }
}

/** Returns `unique` over one text per row, which is different for different keys. */
function expression(
  columns: readonly StagedColumn[],
  dialect: Dialect,
): Pick<PlannedTest, 'name' | 'arguments'> {
  const parts = columns.map(({ alias, family }) => ({ sql: alias, isText: family === 'string' }))
  return { name: 'unique', arguments: { column_name: joinKey(parts, dialect) } }
}

/** The same text for every table, so that a terminal prints it once. */
const WITHOUT_PACKAGE: Warning = {
  code: 'COMPOSITE_KEY_WITHOUT_PACKAGE',
  message: `a key of several columns is tested by an expression; add dbt_utils to packages.yml for ${COMBINATION}`,
}
