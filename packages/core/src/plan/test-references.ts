import { type ForeignKey, type Warning, compareText } from '@stagecraft/spec'
import { inNumber } from '../naming/entity.ts'
import type { StoredName } from '../source-name.ts'
import { runsInTest } from '../sql/identifiers.ts'
import { lookedUp } from './figures.ts'
import type { StagedColumn } from './staged-column.ts'
import { type FindParent, type Parent, type Subject, referencedTable } from './subject.ts'
import type { PlannedTest } from './plan.ts'
import { type CommentReference, readComment } from './read-comment.ts'

/** A foreign key of one column, with the model of its parent when there is one. */
export interface Reference {
  readonly column: StagedColumn
  readonly parentTable: string
  readonly parentColumn: string
  readonly parent: Parent | undefined
  readonly evidence: 'configuration' | 'foreign key' | 'comment' | 'rows'
  /** The number of distinct values checked, for evidence from rows. */
  readonly values?: number
}

export interface References {
  readonly references: readonly Reference[]
  readonly warnings: readonly Warning[]
}

/** Returns the foreign keys that a relationships test can check, one per column, in a fixed order. */
export function findReferences(
  subject: Subject,
  columns: readonly StagedColumn[],
  findParent: FindParent,
): References {
  const configured = columns.flatMap((column) => configuredReference(column, subject, findParent) ?? [])
  const taken = new Set(configured.map(({ column }) => column.column?.name))
  const keys = (subject.table.foreignKeys ?? [])
    .filter((key) => key.columns.length > 1 || !taken.has(key.columns[0]))
    .toSorted((a, b) => compareText(orderOf(a), orderOf(b)))
  const references: Reference[] = configured
  const warnings: Warning[] = []
  for (const key of keys) {
    const [name = ''] = key.columns
    const column = columns.find((staged) => staged.column?.name === name)
    if (key.columns.length > 1) {
      warnings.push(notTestable(key))
    } else if (column && !references.some((reference) => reference.column === column)) {
      const parent = findParent(referencedTable(key, subject.name))
      const [parentColumn = ''] = key.references.columns
      references.push({
        column,
        parentTable: key.references.table.name,
        parentColumn,
        parent,
        evidence: 'foreign key',
      })
    }
  }
  const declared = new Set(keys.flatMap((key) => key.columns))
  const open = columns.filter(({ column }) => column && !declared.has(column.name) && !taken.has(column.name))
  return {
    references: [
      ...references,
      ...open.flatMap(
        (column) =>
          commentReference(column, subject, findParent) ??
          observedReference(column, subject, findParent) ??
          [],
      ),
    ],
    warnings,
  }
}

/** Returns the parent that has every value of a column, if its model exists. */
function observedReference(
  column: StagedColumn,
  { name, table }: Subject,
  findParent: FindParent,
): Reference | undefined {
  const found = table.observed?.references?.find(
    ({ columns }) => columns.length === 1 && columns[0] === column.column?.name,
  )
  const [parentColumn] = found?.references.columns ?? []
  const parent = found && findParent(referencedTable(found, name))
  // the checked values include rows that the parent's model leaves out
  if (!found || !parent || parent.dropsRows || parentColumn === undefined) return undefined
  const { references, values } = found
  return { column, parentTable: references.table.name, parentColumn, parent, evidence: 'rows', values }
}

/** Returns the reference that the configuration states, even if its parent has no model. */
function configuredReference(
  column: StagedColumn,
  { name }: Subject,
  findParent: FindParent,
): Reference | undefined {
  if (!column.column || column.config.references === undefined) return undefined
  const path = column.config.references.split('.')
  const parentColumn = path.pop() ?? ''
  const [table = '', schema = name.schema, database = name.database] = path.toReversed()
  const parent = findParent({ database, schema, table })
  return { column, parentTable: table, parentColumn, parent, evidence: 'configuration' }
}

/** Returns the parent that the comment of a column names, if its model exists and its key is of the same family. */
function commentReference(
  column: StagedColumn,
  { name }: Subject,
  findParent: FindParent,
): Reference | undefined {
  const stated = readComment(column.column?.comment).reference
  if (!stated) return undefined
  for (const { table, column: named } of placesOf(stated, name)) {
    const parent = spellingsOf(table.table)
      .map((spelling) => findParent({ ...table, table: spelling }))
      .find(Boolean)
    const parentColumn = parent && named !== undefined ? parent.spell(named) : parent?.key
    if (!parent || parentColumn === undefined) continue
    const isOwn = parentColumn === column.column?.name && stated.isKeyOf
    const family = parent.familyOf(parentColumn)
    if (isOwn || (family !== undefined && family !== column.family)) return undefined
    return { column, parentTable: table.table, parentColumn, parent, evidence: 'comment' }
  }
  return undefined
}

interface Place {
  readonly table: StoredName
  readonly column: string | undefined
}

/** Returns the meanings of a path, likeliest first: `a.b` is a column of a table, or a table of a schema. */
function placesOf({ column, path }: CommentReference, own: StoredName): readonly Place[] {
  const [first = '', second, third] = path
  if (second === undefined) return [{ table: { ...own, table: first }, column }]
  if (third === undefined) {
    const inSchema = { table: { ...own, schema: first, table: second }, column }
    return column === undefined ? [{ table: { ...own, table: first }, column: second }, inSchema] : [inSchema]
  }
  const inDatabase = { table: { database: first, schema: second, table: third }, column }
  return column === undefined
    ? [{ table: { ...own, schema: first, table: second }, column: third }, inDatabase]
    : [inDatabase]
}

/** Returns the spellings that a table in a comment may stand for: another case, the singular or the plural. */
function spellingsOf(table: string): readonly string[] {
  const numbers = [table, inNumber(table.toLowerCase(), 'plural'), inNumber(table.toLowerCase(), 'singular')]
  const cases = numbers.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase(), capitalised(name)])
  return [...new Set(cases)]
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Returns `relationships` to the staged parent, or a warning that there is none. */
export function testReference(
  { column, evidence, parent, parentColumn, parentTable, values }: Reference,
  { settings, table }: Subject,
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
  const isSure =
    evidence === 'configuration' || (evidence === 'foreign key' && settings.dialect.ddl.enforcesKeys)
  return {
    name: 'relationships',
    arguments: { to: `ref('${parent.model}')`, field },
    severity: isSure && !parent.dropsRows ? 'error' : 'warn',
    evidence,
    ...(values !== undefined && { figures: lookedUp(values, table.observed) }),
  }
}

function notRunnable({ column, name }: StagedColumn): Warning {
  const source = column?.name ?? name
  return {
    code: 'FOREIGN_KEY_NOT_TESTABLE',
    message: `${source} references a column whose name dbt would execute in a test, so it is not tested`,
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
