import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable } from '@stagecraft/spec'
import { cast } from '../plan/conversions.ts'
import { quoteIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'
import type { Check, CheckResult, ColumnsOf } from './inference.ts'
import { printRelation } from './print-relation.ts'
import type { ResultRow } from './profile-statements.ts'
import { printClass, printRows, type Reading, type ReadingOf, readWhole } from './reading.ts'

/** A statement that answers some checks. */
export interface CheckStatement {
  readonly sql: string
  /** Positions of the checks that it answers. */
  readonly answers: readonly number[]
  /**
   * The same checks with one statement per table, if this one is about several: the warehouse may refuse one of them.
   */
  readonly apart: readonly CheckStatement[]
}

/** The most checks in one statement: longer statements are slow to plan. */
const CHECKS_AT_ONCE = 20

interface NumberedCheck {
  readonly check: Check
  readonly number: number
}

/**
 * Creates one statement per table whose rows are checked, and one for all small tables; very many checks are split.
 * In tables that are read in part, a share of the values is looked up, with all of their rows. A violation there is
 * certain; without one, the rule is likely.
 */
export function checkStatements(
  checks: readonly Check[],
  dialect: Dialect,
  readingOf: ReadingOf = readWhole,
): readonly CheckStatement[] {
  const numbered = checks.map((check, number) => ({ check, number }))
  const isSmall = ({ check }: NumberedCheck): boolean =>
    tablesOf(check).every((table) => readingOf(table).isSmall)
  const groups = Map.groupBy(numbered, (one) => (isSmall(one) ? 'small' : checkedTable(one)))
  return [...groups.values()].flatMap((group) => statementsOf(group, { dialect, readingOf }))
}

function statementsOf(checks: readonly NumberedCheck[], options: PrintOptions): readonly CheckStatement[] {
  const parts = Array.from({ length: Math.ceil(checks.length / CHECKS_AT_ONCE) }, (_, at) =>
    checks.slice(at * CHECKS_AT_ONCE, (at + 1) * CHECKS_AT_ONCE),
  )
  return parts.map((part) => {
    const byTable = Map.groupBy(part, checkedTable)
    return {
      sql: part.map(({ check, number }) => printCheck(check, number, options)).join('\nunion all\n'),
      answers: part.map(({ number }) => number),
      apart: byTable.size > 1 ? [...byTable.values()].flatMap((own) => statementsOf(own, options)) : [],
    }
  })
}

function checkedTable({ check }: NumberedCheck): CatalogTable {
  return (check.kind === 'unique' ? check.key : check.child).table
}

/** Returns the tables that a check reads. */
export function tablesOf(check: Check): readonly CatalogTable[] {
  return check.kind === 'unique' ? [check.key.table] : [check.child.table, check.parent.table]
}

/** Reads the rows of a check statement: the number of each check, its violations, and how much was checked. */
export function readChecks(rows: readonly ResultRow[]): ReadonlyMap<number, NonNullable<CheckResult>> {
  return new Map(
    rows.map((row) => {
      const answer = new Map(Object.entries(row).map(([name, value]) => [name.toLowerCase(), Number(value)]))
      const violations = answer.get('violations') ?? 0
      return [answer.get('check_number') ?? -1, { violations, checked: answer.get('checked') ?? 0 }]
    }),
  )
}

interface PrintOptions {
  readonly dialect: Dialect
  readonly readingOf: ReadingOf
}

function printCheck(check: Check, number: number, options: PrintOptions): string {
  return check.kind === 'unique'
    ? printUnique(check.key, number, options)
    : printContained(check, number, options)
}

/** Counts keys that occur more than once or contain a null: such a key does not identify a row. */
function printUnique(
  { columns, table }: ColumnsOf,
  number: number,
  { dialect, readingOf }: PrintOptions,
): string {
  const reading = readingOf(table)
  const names = columns.map((name) => quoteIdentifier(name, dialect)).join(', ')
  const missing = columns
    .filter((name) => reading.isFilled?.(name) !== true)
    .map((name) => `${quoteIdentifier(name, dialect)} is null`)
  const ofClass = [printClass({ columns, table }, reading, dialect), ...missing].join(' or ')
  const hasNull =
    missing.length === 0 ? '' : `, max(case when ${missing.join(' or ')} then 1 else 0 end) as has_null`
  return [
    `select ${number} as check_number,`,
    `  coalesce(sum(case when key_rows > 1${hasNull && ' or has_null = 1'} then 1 else 0 end), 0) as violations,`,
    `  coalesce(sum(key_rows), 0) as checked`,
    `from (`,
    `  select count(*) as key_rows${hasNull}`,
    `  from ${printRelation(table, dialect)}${reading.share < 1 ? ` where ${ofClass}` : ''} group by ${names}`,
    `) as keys_${number}`,
  ].join('\n')
}

/** Counts the distinct child values, and those that no row of the parent has. */
function printContained(
  { child, parent }: Extract<Check, { kind: 'contained' }>,
  number: number,
  { dialect, readingOf }: PrintOptions,
): string {
  const isSame = familiesOf(child, dialect).join() === familiesOf(parent, dialect).join()
  const select = (side: ColumnsOf): string =>
    side.columns.map((name, at) => `${asText(name, isSame, dialect)} as value_${at}`).join(', ')
  const filled = child.columns.map((name) => `${quoteIdentifier(name, dialect)} is not null`)
  const joined = child.columns.map((_, at) => `children.value_${at} = parents.value_${at}`).join(' and ')
  const readings = [readingOf(child.table), readingOf(parent.table)] as const
  const rows = partsToRead({ child, parent }, readings, dialect)
  const conditions = [...filled, ...rows.childCondition].join(' and ')
  const parents = rows.parentCondition.map((condition) => ` where ${condition}`).join('')
  // values that differ as numbers may be the same text: 1 and 1.0
  const isUnique = isSame && parent.columns.some((name) => readings[1].isUnique?.(name) === true)
  const each = isUnique ? 'select' : 'select distinct'
  return [
    `select ${number} as check_number,`,
    `  coalesce(sum(case when parents.value_0 is null then 1 else 0 end), 0) as violations, count(*) as checked`,
    `from (select distinct ${select(child)} from ${rows.children} where ${conditions}) as children`,
    `left join (${each} ${select(parent)} from ${printRelation(parent.table, dialect)}${parents}) as parents`,
    `  on ${joined}`,
  ].join('\n')
}

interface Parts {
  readonly children: string
  readonly childCondition: readonly string[]
  readonly parentCondition: readonly string[]
}

/**
 * Chooses the rows to read. Children may be a sample, but a parent may not: values that a sample leaves out would
 * look like orphans. If both are large, the same share of the values is looked up on both sides.
 */
function partsToRead(
  { child, parent }: Omit<Extract<Check, { kind: 'contained' }>, 'kind'>,
  [ofChild, ofParent]: readonly [Reading, Reading],
  dialect: Dialect,
): Parts {
  const nothing = { childCondition: [], parentCondition: [] }
  if (ofParent.share >= 1) return { ...nothing, children: printRows(child.table, ofChild, dialect) }
  const children = printRelation(child.table, dialect)
  if (ofChild.share >= 1) return { ...nothing, children }
  return {
    children,
    childCondition: [printClass(child, ofChild, dialect)],
    parentCondition: [printClass(parent, ofChild, dialect)],
  }
}

function familiesOf({ columns, table }: ColumnsOf, dialect: Dialect): readonly string[] {
  return columns.map((name) => {
    const type = table.columns.find((column) => column.name === name)?.type ?? ''
    const { base, family } = parseType(type, dialect)
    if (dialect.types.readAsText.includes(base)) return base
    return family === 'decimal' ? 'integer' : family
  })
}

/** Columns of different types are compared as texts. */
function asText(name: string, isSame: boolean, dialect: Dialect): string {
  const quoted = quoteIdentifier(name, dialect)
  return isSame ? quoted : cast(quoted, dialect.types.cast.string ?? 'varchar', dialect)
}
