import type { ForeignKey, Warning } from '@stagecraft/spec'
import { compareText } from '../source-name/stored-name.ts'
import { runsInTest } from '../sql/jinja.ts'
import type { StagedColumn } from './staged-column.ts'
import { type FindParent, type Parent, referencedTable } from './parents.ts'
import type { PlannedTest } from './plan.ts'
import type { Subject } from './subject.ts'

/** A foreign key of one column, with the model of its parent when there is one. */
export interface Reference {
  readonly column: StagedColumn
  readonly parentTable: string
  readonly parentColumn: string
  readonly parent: Parent | undefined
}

export interface References {
  readonly references: readonly Reference[]
  readonly warnings: readonly Warning[]
}

/** The foreign keys that a relationships test can follow, one per column, in a fixed order. */
export function findReferences(
  subject: Subject,
  columns: readonly StagedColumn[],
  findParent: FindParent,
): References {
  const keys = (subject.table.foreignKeys ?? []).toSorted((a, b) => compareText(orderOf(a), orderOf(b)))
  const references: Reference[] = []
  const warnings: Warning[] = []
  for (const key of keys) {
    const [name = ''] = key.columns
    const column = columns.find((staged) => staged.column?.name === name)
    if (key.columns.length > 1) {
      warnings.push(notTestable(key))
    } else if (column && !references.some((reference) => reference.column === column)) {
      const parent = findParent(referencedTable(key, subject.name))
      const [parentColumn = ''] = key.references.columns
      references.push({ column, parentTable: key.references.table.name, parentColumn, parent })
    }
  }
  return { references, warnings }
}

/** `relationships` to the staged parent, or a warning that it has none. */
export function testReference(
  { column, parent, parentColumn, parentTable }: Reference,
  { settings }: Subject,
): PlannedTest | Warning {
  const field = parent?.columnName(parentColumn)
  if (!parent || field === undefined) {
    const missing = parent
      ? `no column of ${parent.model} is known for ${parentColumn}`
      : `${parentTable} has no model in this run or the project`
    const source = column.column?.name ?? column.name
    return {
      code: 'PARENT_NOT_STAGED',
      message: `${source} references ${parentTable}.${parentColumn}, which is not tested: ${missing}`,
      column: source,
    }
  }
  if (runsInTest(field)) return notRunnable(column)
  return {
    name: 'relationships',
    arguments: { to: `ref('${parent.model}')`, field },
    severity: settings.dialect.enforcesKeys && !parent.dropsRows ? 'error' : 'warn',
    evidence: 'foreign key',
  }
}

function notRunnable({ column, name }: StagedColumn): Warning {
  const source = column?.name ?? name
  return {
    code: 'FOREIGN_KEY_NOT_TESTABLE',
    message: `${source} references a column whose name dbt would run in a test, so it is not tested`,
    column: source,
  }
}

function orderOf({ columns, references }: ForeignKey): string {
  return [...columns, references.table.schema ?? '', references.table.name, ...references.columns].join('\0')
}

function notTestable({ columns, references }: ForeignKey): Warning {
  return {
    code: 'FOREIGN_KEY_NOT_TESTABLE',
    message: `(${columns.join(', ')}) references (${references.columns.join(', ')}) of ${references.table.name}; dbt has no test for several columns`,
  }
}
