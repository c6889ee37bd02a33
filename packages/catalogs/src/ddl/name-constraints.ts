import type { DialectName } from '@stagecraft/spec'
import { findColumn } from './apply-action.ts'
import { ddlRulesOf } from './script.ts'
import type { Constraint, TableDefinition } from './definitions.ts'

/** The longest name of PostgreSQL, in bytes. */
const LONGEST = 63

const ENDINGS = {
  primary: 'pkey',
  unique: 'key',
  foreign: 'fkey',
  values: 'check',
  json: 'check',
  condition: 'check',
} as const

interface Naming {
  readonly table: TableDefinition
  readonly dialect: DialectName | undefined
  /** Returns true if a name is taken in the schema. */
  readonly isTaken: (name: string) => boolean
}

/**
 * Returns the constraint with the default name of the database if it has none, because scripts may drop it by
 * that name.
 */
export function nameConstraint(constraint: Constraint, naming: Naming): Constraint {
  if (constraint.name !== undefined) return constraint
  const name =
    ddlRulesOf(naming.dialect).constraintNames === 'mysql'
      ? nameOfMySql(constraint, naming)
      : nameOfPostgres(constraint, naming)
  return name === undefined ? constraint : { ...constraint, name }
}

/**
 * Returns the default name in MySQL: the first column for a key, otherwise table and number.
 * https://dev.mysql.com/doc/refman/8.4/en/create-table-foreign-keys.html
 */
function nameOfMySql(constraint: Constraint, { table }: Naming): string | undefined {
  const taken = new Set(table.constraints.flatMap(({ name }) => name?.toLowerCase() ?? []))
  const free = (make: (number: number) => string, from: number): string => {
    let number = from
    while (taken.has(make(number).toLowerCase())) number++
    return make(number)
  }
  if (constraint.kind === 'primary') return 'PRIMARY'
  if (constraint.kind === 'unique')
    return free((number) => `${constraint.columns[0] ?? ''}${number > 1 ? `_${number}` : ''}`, 1)
  if (constraint.kind === 'foreign') return `${table.name.name}_ibfk_${lastForeignKey(table) + 1}`
  return constraint.isInline ? undefined : free((number) => `${table.name.name}_chk_${number}`, 1)
}

function lastForeignKey({ constraints, name: table }: TableDefinition): number {
  const numbers = constraints.map(({ kind, name = '' }) =>
    kind === 'foreign' && name.startsWith(`${table.name}_ibfk_`) ? Number(name.split('_').at(-1)) : 0,
  )
  return Math.max(0, ...numbers.filter((number) => Number.isInteger(number)))
}

/**
 * Returns the default name in PostgreSQL: table, columns and kind, with a number if that is taken
 * (ChooseConstraintName).
 */
function nameOfPostgres(constraint: Constraint, { isTaken, table }: Naming): string {
  const columns = columnsInName(constraint, table)
  const ending = constraint.isIndex ? 'idx' : ENDINGS[constraint.kind]
  for (let pass = 0; ; pass++) {
    const name = joinName(table.name.name, columns.join('_'), pass === 0 ? ending : `${ending}${pass}`)
    if (!isTaken(name)) return name
  }
}

function columnsInName(constraint: Constraint, { columns }: TableDefinition): readonly string[] {
  if (constraint.kind === 'primary') return []
  if ('columns' in constraint) return constraint.columns
  if ('column' in constraint) return [findColumn(columns, constraint.column.text) ?? constraint.column.text]
  const named = new Set(constraint.words.flatMap((word) => findColumn(columns, word) ?? []))
  return named.size === 1 ? [...named] : []
}

/** Joins the parts of a name, and shortens the longer one until the name fits (makeObjectName). */
function joinName(table: string, middle: string, ending: string): string {
  const bytes = (text: string): number => new TextEncoder().encode(text).length
  const room = LONGEST - ending.length - 1 - (middle === '' ? 0 : 1)
  let [first, second] = [table, middle]
  while (bytes(first) + bytes(second) > room) {
    if (bytes(first) > bytes(second)) first = first.slice(0, -1)
    else second = second.slice(0, -1)
  }
  return [first, ...(second === '' ? [] : [second]), ending].join('_')
}
