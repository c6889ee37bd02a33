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

/**
 * PostgreSQL's words after INCLUDING and EXCLUDING.
 * https://www.postgresql.org/docs/current/sql-createtable.html
 */
const PARTS_BY_WORD: Readonly<Record<string, readonly CopiedPart[]>> = {
  ALL: ALL_PARTS,
  COMMENTS: ['column comments'],
  CONSTRAINTS: ['checks'],
  INDEXES: ['keys'],
}

/**
 * Reads the table after LIKE or CLONE, and its options.
 *
 * @throws {UnreadableSql} If no name comes next.
 */
export function readCopy(cursor: Cursor, script: Script): Copy {
  const of = readName(cursor, script)
  let parts = ddlRulesOf(script.dialect).copiesWithColumns
  for (;;) {
    const isIncluded = cursor.skip('INCLUDING')
    if (!isIncluded && !cursor.skip('EXCLUDING')) return { of, parts }
    const named = PARTS_BY_WORD[cursor.next()?.text.toUpperCase() ?? ''] ?? []
    const others = parts.filter((part) => !named.includes(part))
    parts = isIncluded ? [...others, ...named] : others
  }
}

/** Reads the tables of INHERITS. Only columns and their checks are inherited. */
export function readInherited(cursor: Cursor, script: Script): readonly Copy[] {
  const tables = cursor.takeGroup()?.splitByComma() ?? []
  return tables.map((table) => ({ of: readName(table, script), parts: ['checks'] }))
}

/** Returns the parts that a table copies from another. */
export function copyParts(
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
      .map((constraint) => dropKeyName(constraint, dialect)),
  }
}

function withoutComment({ comment: _, ...column }: ColumnDefinition): ColumnDefinition {
  return column
}

/** Drops the name of a copied key, which must be unique in a schema of PostgreSQL; in MySQL, only in a table. */
function dropKeyName(constraint: Constraint, dialect: DialectName | undefined): Constraint {
  const isKept = GROUP_OF[constraint.kind] === 'checks' || ddlRulesOf(dialect).constraintNames === 'mysql'
  return isKept ? constraint : { ...constraint, name: undefined }
}
