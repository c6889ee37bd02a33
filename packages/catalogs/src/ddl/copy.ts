import type { CopiedPart } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import type { Cursor } from '../sql/cursor.ts'
import {
  type ColumnDefinition,
  type Constraint,
  type Copy,
  GROUP_OF,
  type TableDefinition,
} from './definitions.ts'
import { readName } from './names.ts'
import { type Script, ddlRulesOf } from './script.ts'

const ALL_PARTS: readonly CopiedPart[] = ['column comments', 'keys', 'checks']

/** PostgreSQL's words behind INCLUDING and EXCLUDING. https://www.postgresql.org/docs/current/sql-createtable.html */
const PARTS_BY_WORD: Readonly<Record<string, readonly CopiedPart[]>> = {
  ALL: ALL_PARTS,
  COMMENTS: ['column comments'],
  CONSTRAINTS: ['checks'],
  INDEXES: ['keys'],
}

/**
 * Reads the table after LIKE or CLONE, and its options.
 *
 * @throws {UnreadableSql} When no name comes next.
 */
export function readCopy(cursor: Cursor, script: Script): Copy {
  const of = readName(cursor, script)
  let parts = ddlRulesOf(script.dialect).copiesWithColumns
  for (;;) {
    const isIncluded = cursor.skip('INCLUDING')
    if (!isIncluded && !cursor.skip('EXCLUDING')) return { of, parts }
    const said = PARTS_BY_WORD[cursor.next()?.text.toUpperCase() ?? ''] ?? []
    const others = parts.filter((part) => !said.includes(part))
    parts = isIncluded ? [...others, ...said] : others
  }
}

/** Reads the tables of INHERITS: only columns and their checks are inherited. */
export function readInherited(cursor: Cursor, script: Script): readonly Copy[] {
  const tables = cursor.takeGroup()?.splitByComma() ?? []
  return tables.map((table) => ({ of: readName(table, script), parts: ['checks'] }))
}

/** The parts that a table copies from another. */
export function takeOver(
  source: TableDefinition,
  { parts }: Copy,
  dialect: DialectName | undefined,
): Pick<TableDefinition, 'columns' | 'comment' | 'constraints'> {
  const has = (part: CopiedPart): boolean => parts.includes(part)
  return {
    comment: has('table comment') ? source.comment : undefined,
    columns: has('column comments') ? source.columns : source.columns.map(withoutComment),
    constraints: source.constraints
      .filter(({ kind }) => has(GROUP_OF[kind]))
      .map((constraint) => nameAnew(constraint, dialect)),
  }
}

function withoutComment({ comment: _, ...column }: ColumnDefinition): ColumnDefinition {
  return column
}

/** Names of keys are unique in a schema of PostgreSQL, and in a table of MySQL. */
function nameAnew(constraint: Constraint, dialect: DialectName | undefined): Constraint {
  const isKept = GROUP_OF[constraint.kind] === 'checks' || ddlRulesOf(dialect).constraintNames === 'mysql'
  return isKept ? constraint : { ...constraint, name: undefined }
}
