import type { Dialect } from '@stagecraft/dialects'
import { type CatalogTable, StagecraftError } from '@stagecraft/spec'
import { hash } from '../naming/unique-names.ts'
import { Unanswered } from './ask-warehouse.ts'
import { type ProfilesByTable, isProfileEntry, readProfileEntries } from './profile-entries.ts'
import { type Observed, type ObserveOptions, observeTables } from './observe.ts'
import type { ResultRow } from './profile-statements.ts'

/** The column that names the statement of each row of an answer. */
const STATEMENT = 'statement_id'

/** A statement whose answer is still missing. */
export interface OpenStatement {
  readonly id: string
  /** Adds the id of the statement to its columns, so that rows identify their statement. */
  readonly sql: string
}

/** The answers and profiles in a file. */
export interface RecordedAnswers {
  /** The rows of answers by the ids of their statements. */
  readonly rows: ReadonlyMap<string, readonly ResultRow[]>
  /** Reads the profiles in the file for the tables that it names. */
  readonly profilesOf: (tables: readonly CatalogTable[]) => ProfilesByTable
}

export const NO_ANSWERS: RecordedAnswers = { rows: new Map(), profilesOf: () => new Map() }

export interface ObserveRecordedOptions extends Pick<ObserveOptions, 'joins'> {
  /** The SQL of the warehouse. */
  readonly dialect: Dialect
  /** The results of the statements, as `readAnswers` reads them. */
  readonly answers: RecordedAnswers
  /** The day on which the rows were read: `2026-01-31`. @default none */
  readonly on?: string
}

export interface RecordedObserved extends Observed {
  /** The statements to run next. Their answers may require more statements, at most twice. */
  readonly open: readonly OpenStatement[]
}

/**
 * Observes tables from recorded answers of the warehouse. Statements without an answer are listed, and their facts
 * stay open.
 */
export async function observeRecorded(
  tables: readonly CatalogTable[],
  { answers, dialect, joins, on }: ObserveRecordedOptions,
): Promise<RecordedObserved> {
  const open = new Map<string, string>()
  const observed = await observeTables(tables, {
    dialect,
    ...(on !== undefined && { on }),
    joins,
    profiles: answers.profilesOf(tables),
    asksApart: true,
    query: (sql) => {
      const id = `${hash(sql)}${hash(`\0${sql}`)}`
      const rows = answers.rows.get(id)
      if (rows) return Promise.resolve(rows)
      open.set(id, `select '${id}' as ${STATEMENT}, answers.* from (\n${sql}\n) as answers`)
      return Promise.reject(new Unanswered(id))
    },
  })
  const failures = observed.profiles.flatMap(({ profile, table }) =>
    profile
      ? []
      : [{ table, code: 'TABLE_NOT_PROFILED' as const, reason: 'its statements are not answered yet' }],
  )
  return { ...observed, failures, open: [...open].map(([id, sql]) => ({ id, sql })) }
}

/**
 * Reads answers: a JSON list of rows, lists of such lists, or one row per line. Names of columns may be in any case.
 * Entries with `table` and `profile` are profiles, as `profile --json` prints them.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the place of an entry that is neither.
 */
export function readAnswers(text: string, path: string): RecordedAnswers {
  return answersOfRows(readRows(text, path), path)
}

/**
 * Finds the statement of each row, as `readAnswers` does for a text.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the place of a row that is neither of a statement nor a profile.
 */
export function answersOfRows(rows: readonly ResultRow[], path: string): RecordedAnswers {
  const named = rows.flatMap((row, at) => {
    if (isProfileEntry(row)) return []
    const id = Object.entries(row).find(([name]) => name.toLowerCase() === STATEMENT)?.[1]
    if (typeof id === 'string') return [{ id, row }]
    const expected = `rows of printed statements, with a column ${STATEMENT}, or entries with table and profile`
    throw StagecraftError.invalid({
      path: `${path}, row ${at + 1}`,
      expected,
      received: 'a row without them',
    })
  })
  const groups = Map.groupBy(named, ({ id }) => id)
  return {
    rows: new Map([...groups].map(([id, group]) => [id, group.map(({ row }) => row)])),
    profilesOf: (tables) => readProfileEntries(rows, { path, tables }),
  }
}

function readRows(text: string, path: string): readonly ResultRow[] {
  const whole = parse(text)
  const parts = whole === undefined ? readLines(text, path) : [whole]
  const items = parts.flat(3)
  const wrong = items.findIndex((item) => typeof item !== 'object' || item === null)
  if (wrong < 0) return items as readonly ResultRow[]
  throw StagecraftError.invalid({
    path: `${path}, row ${wrong + 1}`,
    expected: 'a JSON object per row',
    received: JSON.stringify(items[wrong]),
  })
}

function readLines(text: string, path: string): readonly unknown[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const row = parse(line)
    if (row !== undefined) return [row]
    throw StagecraftError.invalid({ path: `${path}:${at + 1}`, expected: 'JSON', received: 'something else' })
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
