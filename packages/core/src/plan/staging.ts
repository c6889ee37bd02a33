import { escapeInvisible } from '@stagecraft/spec'
import { printIdentifier } from '../sql/identifiers.ts'
import { planColumns } from './columns.ts'
import type { StagedColumn } from './staged-column.ts'
import { findDeletedRows } from './deleted-rows.ts'
import { describeColumn, describeModel, type DescriptionInput } from './descriptions.ts'
import { findKey, type Key } from './key.ts'
import { planPaths } from './paths.ts'
import type { Plan, PlannedColumn, PlannedRows, PlannedTest } from './plan.ts'
import type { PlanContext } from './plan-context.ts'
import { planRows } from './rows.ts'
import { planSource } from './source-entry.ts'
import type { Subject } from './subject.ts'
import { findReferences } from './test-references.ts'
import { planTests, type TestDecision } from './tests.ts'

/** Plans a model that renames and converts the columns of one source table. */
export function planStaging({ findParent, subject }: PlanContext): Plan {
  const { options } = subject.settings
  const key = findKey(subject)
  const deleted = findDeletedRows(subject)
  const { rows, warnings: rowWarnings } = planRows(subject, key, deleted)
  const { columns, warnings: columnWarnings } = planColumns({ subject, key, deleted })
  const { references, warnings: referenceWarnings } = findReferences(subject, columns, findParent)
  const tests = options.addTests
    ? planTests({
        subject,
        key,
        columns,
        references,
        findParent,
        rowsRepeat: false,
        keyRepeats: key?.repeats === true && rows.deduplicate === undefined,
      })
    : NO_TESTS
  return {
    ...planFrame(subject),
    model: {
      ...modelFrame(subject),
      description: options.addDocs ? describeModel(subject, { key, rows, deleted }) : undefined,
      tests: tests.onModel,
    },
    columns: columns.map((column) => finishColumn(column, { subject, key, references }, tests.onColumns)),
    rows,
    snapshot: undefined,
    warnings: [
      ...subject.warnings,
      ...columnWarnings,
      ...rowWarnings,
      ...(options.addTests ? [...referenceWarnings, ...tests.warnings] : []),
    ],
  }
}

export const NO_TESTS: TestDecision = { onColumns: new Map(), onModel: [], warnings: [] }

/** Plans the parts that do not depend on columns. */
export function planFrame(
  subject: Subject,
): Pick<Plan, 'kind' | 'dialect' | 'input' | 'selection' | 'source' | 'paths' | 'style'> {
  const { kind, settings, dbtSource, table, tableName } = subject
  const hidden = subject.columns.filter((column) => column.hidden === true)
  const { addDocs = false, columnOrder, leadingCommas, testReasons } = settings.options
  return {
    kind,
    dialect: settings.dialect.name,
    input:
      table.model === undefined
        ? `source('${dbtSource}', '${tableName}')`
        : `ref('${escapeInvisible(table.model)}')`,
    selection: ['*', ...hidden.map((column) => printIdentifier(column.name, settings.dialect))].join(', '),
    source: table.model === undefined ? planSource(subject) : undefined,
    paths: planPaths(subject),
    style: { groups: columnOrder === 'groups', leadingCommas, testReasons, docs: addDocs },
  }
}

export function modelFrame({ modelName, settings }: Subject): Omit<Plan['model'], 'description' | 'tests'> {
  const { contract, dataTypes, materialized } = settings.options
  return { name: modelName, materialized, contract, dataTypes: contract || dataTypes }
}

export function finishColumn(
  column: StagedColumn,
  input: DescriptionInput,
  tests: ReadonlyMap<number, readonly PlannedTest[]>,
): PlannedColumn {
  const { alias, dataType, expression, family, group, name, ordinal, quoted } = column
  return {
    source: column.column?.name,
    ordinal,
    expression,
    name,
    alias,
    quoted,
    family,
    dataType,
    group,
    description: input.subject.settings.options.addDocs ? describeColumn(column, input) : undefined,
    tests: tests.get(ordinal) ?? [],
  }
}

/** The rows and names of a table's model, without its tests: what a child's foreign key needs to know. */
export interface StagedShape {
  readonly columns: readonly StagedColumn[]
  readonly rows: PlannedRows
  readonly key: Key | undefined
}

export function shapeOf(subject: Subject): StagedShape {
  const key = findKey(subject)
  const deleted = findDeletedRows(subject)
  return {
    key,
    columns: planColumns({ subject, key, deleted }).columns,
    rows: planRows(subject, key, deleted).rows,
  }
}
