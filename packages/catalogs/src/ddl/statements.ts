import type { DialectName } from '@stagecraft/spec'
import { Cursor, type Token, isWord, unlessUnreadable } from '../sql/cursor.ts'
import { readTokens } from '../sql/tokenizer.ts'
import type { ValueList } from '../sql/value-list.ts'
import { readAlterTable, swapNames } from './alter-table.ts'
import { readAlterDomain, readAlterSchema, readAlterType } from './alter-type.ts'
import { readCreate } from './create.ts'
import type { Change } from './definitions.ts'
import { readName, takeName, unreadable } from './names.ts'
import { readDeclare, readSetPlace, readUse } from './place.ts'
import { readProcedureCall } from './procedure-call.ts'
import type { Script } from './script.ts'

/** Reads `COMMENT ON TABLE name IS 'text'`, or the same for a column, after COMMENT. */
function readComment(cursor: Cursor, script: Script): Change | undefined {
  cursor.skip('IF', 'EXISTS')
  if (!cursor.skip('ON')) return undefined
  cursor.skip('FOREIGN')
  cursor.skip('MATERIALIZED')
  const isTable = cursor.skip('TABLE') || cursor.skip('VIEW')
  if (!isTable && !cursor.skip('COLUMN')) return undefined
  const parts = readParts(cursor, script)
  if (!cursor.skip('IS')) return undefined
  const comment = cursor.take('text')?.text
  const column = isTable ? undefined : parts.at(-1)
  const [name, schema, database] = (isTable ? parts : parts.slice(0, -1)).toReversed()
  if (name === undefined) return undefined
  const action =
    column === undefined
      ? { kind: 'set comment' as const, comment }
      : { kind: 'set column' as const, column, facts: { comment } }
  return { kind: 'alter table', name: { database, schema, name }, actions: [action] }
}

/** Reads up to four parts: a column has one more than its table. */
function readParts(cursor: Cursor, script: Script): readonly string[] {
  const parts: string[] = []
  do {
    const part = takeName(cursor, script)
    if (part !== undefined) parts.push(part)
  } while (cursor.skipSymbol('.'))
  return parts
}

type Read = (cursor: Cursor, script: Script) => Change | undefined

const dropTables: Read = (cursor, script) => ({ kind: 'drop table', ...readDropped(cursor, script) })
const dropTypes: Read = (cursor, script) => ({ kind: 'drop type', ...readDropped(cursor, script) })

/** The statements about tables, by their first words. */
const STATEMENTS: readonly (readonly [words: string, read: Read])[] = [
  ['CREATE', readCreate],
  ['ALTER TABLE', readAlterTable],
  ['ALTER DYNAMIC TABLE', readAlterTable],
  ['ALTER EXTERNAL TABLE', readAlterTable],
  ['ALTER FOREIGN TABLE', readAlterTable],
  ['ALTER ICEBERG TABLE', readAlterTable],
  ['ALTER MATERIALIZED VIEW', readAlterTable],
  ['ALTER VIEW', readAlterTable],
  ['ALTER INDEX', readAlterIndex],
  ['ALTER TYPE', readAlterType],
  ['ALTER DOMAIN', readAlterDomain],
  ['ALTER SCHEMA', readAlterSchema],
  ['COMMENT', readComment],
  ['DROP TABLE', dropTables],
  ['DROP DICTIONARY', dropTables],
  ['DROP DYNAMIC TABLE', dropTables],
  ['DROP EXTERNAL TABLE', dropTables],
  ['DROP FOREIGN TABLE', dropTables],
  ['DROP ICEBERG TABLE', dropTables],
  ['DROP MATERIALIZED VIEW', dropTables],
  ['DROP SNAPSHOT TABLE', dropTables],
  ['DROP VIEW', dropTables],
  ['DROP TYPE', dropTypes],
  ['DROP DOMAIN', dropTypes],
  ['DROP INDEX', readDropIndex],
  ['DROP SCHEMA', readDropSchema],
  ['EXCHANGE TABLES', readExchange],
  ['EXCHANGE DICTIONARIES', readExchange],
  ['RENAME DICTIONARY', readRenameTables],
  ['RENAME TABLE', readRenameTables],
  ['RENAME', readRenameTable],
  ['DECLARE', readDeclare],
  ['EXEC', readProcedureCall],
  ['EXECUTE', readProcedureCall],
  ['SET', readSetPlace],
  ['USE', readUse],
]

const BY_WORDS = STATEMENTS.map(([words, read]) => [words.split(' '), read] as const)
const FIRST_WORDS = [...new Set(BY_WORDS.flatMap(([words]) => words.slice(0, 1))), 'BEGIN', 'DO', 'IF']

/**
 * Returns true if a statement that begins with the token may concern tables, or most likely contains a typing
 * error.
 */
export function isOfInterest(first: Token): boolean {
  return isWord(first, ...FIRST_WORDS) || intendedWord(first) !== undefined
}

/** Words with the number of wrong letters to report, because otherwise tables would be missed unnoticed. */
const INTENDED = [
  ['CREATE', 2],
  ['COMMENT', 2],
  ['ALTER', 1],
  ['RENAME', 1],
] as const

/** Valid words that look similar: `ALERT` of Snowflake, `AFTER` of sqlcmd. */
const OTHERS = new Set(['AFTER', 'ALERT', 'COMMIT', 'CREATED'])

/** Returns the intended word if one or two letters are wrong, missing, doubled or swapped. */
function intendedWord({ kind, text }: Token): string | undefined {
  if (kind !== 'word' || text.length < 4 || text.length > 9) return undefined
  const word = text.toUpperCase()
  if (OTHERS.has(word) || INTENDED.some(([meant]) => meant === word)) return undefined
  const found = INTENDED.find(
    ([meant, most]) =>
      meant[0] === word[0] && Math.abs(meant.length - word.length) <= most && distance(word, meant) <= most,
  )
  return found?.[0]
}

/** Returns the number of letters to change, add or remove; a swapped pair counts as one. */
function distance(word: string, other: string): number {
  if (word === other) return 0
  const [a, b] = [word.slice(1), other.slice(1)]
  if (word[0] === other[0]) return distance(a, b)
  if (word === '' || other === '') return Math.max(word.length, other.length)
  const isSwap = word[0] === other[1] && word[1] === other[0] && word.length > 1
  const swapped = isSwap ? distance(word.slice(2), other.slice(2)) : Infinity
  return 1 + Math.min(swapped, distance(a, b), distance(a, other), distance(word, b))
}

/**
 * Returns the effect of a statement on the tables; undefined without one.
 *
 * @throws {UnreadableSql} For a statement that is not understood.
 */
export function readStatement(cursor: Cursor, script: Script): Change | undefined {
  const first = cursor.peek()
  const intended = first && intendedWord(first)
  if (intended !== undefined) throw unreadable(first, intended)
  const found = BY_WORDS.find(([words]) => cursor.skip(...words))
  return found?.[1](cursor, script)
}

function readDropped(
  cursor: Cursor,
  script: Script,
): Pick<Extract<Change, { readonly kind: 'drop table' }>, 'names' | 'cascades'> {
  skipConcurrently(cursor)
  const names = cursor.splitByComma().map((name) => readName(name, script))
  return { names, cascades: cursor.skipTo('CASCADE') }
}

function skipConcurrently(cursor: Cursor): void {
  cursor.skip('CONCURRENTLY')
  cursor.skip('IF', 'EXISTS')
}

/** Reads DROP INDEX. MySQL and SQL Server name the table: `DROP INDEX name ON table`. */
function readDropIndex(cursor: Cursor, script: Script): Change {
  skipConcurrently(cursor)
  const names = cursor.splitByComma().map((part) => {
    const name = readName(part, script)
    part.skip('ON')
    return {
      name,
      table: part.done || part.at('CASCADE') || part.at('RESTRICT') ? undefined : readName(part, script),
    }
  })
  return {
    kind: 'all',
    changes: names.map(({ name, table }): Change => {
      if (!table) return { kind: 'drop index', names: [name] }
      return {
        kind: 'alter table',
        name: table,
        actions: [{ kind: 'drop constraint', name: name.name, group: 'keys' }],
      }
    }),
  }
}

function readAlterIndex(cursor: Cursor, script: Script): Change | undefined {
  cursor.skip('IF', 'EXISTS')
  const name = readName(cursor, script)
  if (!cursor.skip('RENAME')) return undefined
  cursor.skip('TO')
  return { kind: 'rename index', name, to: readName(cursor, script).name }
}

function readDropSchema(cursor: Cursor, script: Script): Change {
  skipConcurrently(cursor)
  return { kind: 'drop schema', schemas: cursor.splitByComma().map((name) => readName(name, script).name) }
}

function readRenameTables(cursor: Cursor, script: Script): Change {
  cursor.skip('IF', 'EXISTS')
  const pairs = cursor.splitByComma().map((part) => {
    const from = readName(part, script)
    while (!part.done && !part.skip('TO')) part.next()
    return [from, readName(part, script)] as const
  })
  return { kind: 'rename tables', pairs }
}

/** Oracle: `RENAME orders TO old_orders`. */
function readRenameTable(cursor: Cursor, script: Script): Change | undefined {
  const isTable = cursor.peek(1)?.text.toUpperCase() === 'TO'
  return isTable ? readRenameTables(cursor, script) : undefined
}

/** Reads EXCHANGE TABLES of ClickHouse, which swaps the names of two tables. */
function readExchange(cursor: Cursor, script: Script): Change {
  const first = readName(cursor, script)
  cursor.skip('AND')
  return swapNames(first, readName(cursor, script))
}

/** Returns the values in the checks of one CREATE TABLE statement; none if the statement is not understood. */
export function readDeclaredValues(sql: string, dialect: DialectName): readonly ValueList[] {
  const change = unlessUnreadable(() => readStatement(new Cursor(readTokens(sql, dialect)), { sql, dialect }))
  if (change?.kind !== 'create table') return []
  return change.table.constraints.flatMap((constraint) => (constraint.kind === 'values' ? [constraint] : []))
}

/**
 * Returns the columns of a CREATE UNIQUE INDEX statement; undefined unless they are plain and it covers all
 * rows.
 */
export function readUniqueIndex(sql: string, dialect: DialectName): readonly string[] | undefined {
  const change = unlessUnreadable(() =>
    readStatement(new Cursor(readTokens(sql, dialect).filter(({ kind }) => kind !== 'terminator')), {
      sql,
      dialect,
    }),
  )
  const action = change?.kind === 'alter table' ? change.actions[0] : undefined
  return action?.kind === 'add constraint' && action.constraint.kind === 'unique'
    ? action.constraint.columns
    : undefined
}
