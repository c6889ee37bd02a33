import type { Family } from '@stagecraft/dialects'
import type { ColumnValue, Warning } from '@stagecraft/spec'
import { escapeText } from '../sql/identifiers.ts'
import { runsInTest } from '../sql/jinja.ts'
import type { StagedColumn } from './staged-column.ts'
import type { PlannedTest } from './plan.ts'
import { readComment } from './read-comment.ts'
import type { Subject } from './subject.ts'

/** `accepted_values` for a closed list, unless the staged value is no longer one of the list. */
export function testValues(
  { change, column, config, family }: StagedColumn,
  { settings }: Subject,
): PlannedTest | Warning | undefined {
  const declared = config.values ?? column?.values
  const values = declared ?? valuesOfComment(column?.comment, family)
  const isList = values !== undefined && family !== 'boolean' && change === 'none'
  if (!isList || !column) return undefined
  if (values.some((value) => typeof value === 'string' && runsInTest(value))) return notTestable(column.name)
  const quote = family === 'string' || values.some((value) => typeof value === 'string')
  return {
    name: 'accepted_values',
    arguments: {
      values: distinct(values).map((value) => writeValue(value, settings)),
      ...(!quote && { quote: false }),
    },
    severity: config.values || (declared && settings.dialect.ddl.enforcesKeys) ? 'error' : 'warn',
    evidence: config.values ? 'configuration' : declared ? 'list of values' : 'comment',
  }
}

const NUMBERS: ReadonlySet<Family> = new Set(['decimal', 'float', 'integer'])

/** The list of a comment, where the column can hold what it lists. */
function valuesOfComment(comment: string | undefined, family: Family): readonly ColumnValue[] | undefined {
  const { values } = readComment(comment)
  if (family === 'string') return values?.map(String)
  return NUMBERS.has(family) && values?.every((value) => typeof value === 'number') ? values : undefined
}

function distinct(values: readonly ColumnValue[]): readonly ColumnValue[] {
  return [...new Set(values)]
}

/** The macro of dbt puts the value between single quotes as it stands, so that it must come escaped. */
function writeValue(value: ColumnValue, { dialect }: Subject['settings']): ColumnValue {
  return typeof value === 'string' ? escapeText(value, dialect) : value
}

function notTestable(column: string): Warning {
  return {
    code: 'VALUES_NOT_TESTABLE',
    message: `the values of ${column} hold text that dbt would run, so there is no accepted_values test`,
    column,
  }
}
