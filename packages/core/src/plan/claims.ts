import { printDescription } from '../render/property-trees.ts'
import { escapeIdentifier, escapeJinja } from '../sql/identifiers.ts'
import { describeAsNamed, describeColumn, describeModel } from './descriptions.ts'
import { findKey } from './key.ts'
import { planColumns } from './columns.ts'
import { findDeletedRows, planRows } from './rows.ts'
import type { PlannedRows } from './plan.ts'
import type { StagedColumn } from './staged-column.ts'
import type { PlanContext } from './subject.ts'
import { findReferences } from './test-references.ts'

/** The ways in which the SQL of a model chooses its rows; its description and tests may depend on them. */
export type RowClaim =
  /** It leaves out the rows that the loader marked as deleted. */
  | 'deleted'
  /** It neither joins nor repeats rows, so each row of the table is one of the model. */
  | 'grain'
  /** It keeps one of the versions of each row. */
  | 'versions'

/** The claims about a column that are only true of generated SQL. */
export interface ColumnClaim {
  /** `expression` requires the generated expression, `value` accepts the stored value too. */
  readonly needs: 'expression' | 'value'
  /** The description that depends on that, and the one without it. */
  readonly description: { readonly text: string; readonly otherwise: string | undefined } | undefined
  /** The names of tests that depend on it. */
  readonly tests: readonly string[]
  /** The names of tests that depend on the stored value, in any type; none for a key. */
  readonly valueTests: readonly string[]
  /** Returns its description under another name; undefined if that name adds nothing. */
  readonly describeAs: (name: string) => string | undefined
}

/** The claims about a model that are only true of generated SQL. They may be wrong for a person's SQL. */
export interface Claims {
  /** By the name of the column in the properties file. */
  readonly columns: ReadonlyMap<string, ColumnClaim>
  /** The SQL that chooses the rows. */
  readonly rows: Pick<PlannedRows, 'deduplicate' | 'where'>
  /** Returns the description of the model without these claims; undefined for none. */
  readonly describe: (lacks: ReadonlySet<RowClaim>) => string | undefined
}

const NOTHING: Claims = { columns: new Map(), rows: {}, describe: () => undefined }

/** Returns the claims about a model that are only true of generated SQL. */
export function claimsOf({ findParent, subject }: PlanContext): Claims {
  if (subject.type === 'snapshot') return NOTHING
  const key = findKey(subject)
  const deleted = findDeletedRows(subject)
  const { rows } = planRows(subject, key, deleted)
  const { columns } = planColumns({ subject, key, deleted })
  const { references } = findReferences(subject, columns, findParent)
  const { dialect } = subject.settings
  const claims = columns.map((column) => {
    const name = escapeJinja(column.quoted ? escapeIdentifier(column.name, dialect) : column.name)
    const { isNamed, ...claim } = claimOf(column, (one) => describeColumn(one, { subject, key, references }))
    const describeAs: ColumnClaim['describeAs'] = (own) =>
      isNamed ? describeAsNamed(column, own, { subject }) : undefined
    const isKey = column.column !== undefined && (key?.columns.includes(column.column.name) ?? false)
    return [name, { ...claim, valueTests: isKey ? [] : ['not_null'], describeAs }] as const
  })
  return {
    columns: new Map(claims),
    rows: {
      ...(rows.deduplicate && { deduplicate: rows.deduplicate }),
      ...(rows.where && { where: rows.where }),
    },
    describe: (lacks) =>
      printDescription(
        describeModel(subject, {
          key: lacks.has('grain') ? undefined : key,
          deleted,
          rows: {
            ...(!lacks.has('versions') && rows.deduplicate && { deduplicate: rows.deduplicate }),
            ...(!lacks.has('deleted') && rows.where && { where: rows.where }),
          },
        }),
      ),
  }
}

/** Tests of stored values; they are generated for values that are staged unchanged. */
const VALUE_TESTS = ['accepted_values', 'dbt_utils.accepted_range']

function claimOf(
  column: StagedColumn,
  describe: (column: StagedColumn) => ReturnType<typeof describeColumn>,
): Omit<ColumnClaim, 'describeAs' | 'valueTests'> & { readonly isNamed: boolean } {
  const description = describe(column)
  const text = printDescription(description)
  const isConverted = column.change !== 'none'
  const isWritten =
    (description?.origin === 'llm' && isConverted) ||
    ['boolean', 'deleted rows', 'list', 'moment'].includes(description?.rule ?? '') ||
    (description?.rule === 'loader' && isConverted) ||
    (description?.origin === 'comment' && text !== textWithout(column, describe))
  return {
    needs: isConverted ? 'expression' : 'value',
    description:
      isWritten && text !== undefined ? { text, otherwise: textWithout(column, describe) } : undefined,
    tests: isConverted ? [] : VALUE_TESTS,
    isNamed: description === undefined || description.rule === 'moment',
  }
}

/** Returns the description by the rule or the comment, however the column is selected. */
function textWithout(
  column: StagedColumn,
  describe: (column: StagedColumn) => ReturnType<typeof describeColumn>,
): string | undefined {
  const { origin, rule } = describe(column) ?? {}
  if (rule !== 'loader' && rule !== 'moment' && origin !== 'comment') return undefined
  const family = withoutZone(column.family)
  const plain = describe({ ...column, change: 'none', conversion: undefined, family })
  if (origin === 'comment') return printDescription(plain)
  return printDescription(plain)?.replace(/,? in UTC(?=\.)/, '')
}

/** The time zone of a timestamp without one is not described. */
function withoutZone(family: StagedColumn['family']): StagedColumn['family'] {
  return family === 'timestamp_tz' ? 'timestamp_ntz' : family
}
