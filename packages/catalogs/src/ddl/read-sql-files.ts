import { compareText } from '@stagecraft/spec'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileFailed, unreadable } from '../files/file-failed.ts'
import { readText } from '../files/read-text.ts'
import type { SqlFile } from './read-schema.ts'

/** Sorts paths naturally, by folder and number, so that `V2__b.sql` comes before `V10__a.sql`. */
function compareNaturally(a: string, b: string): number {
  const [left, right] = [a, b].map((path) => path.split('/').map(splitNumbers))
  for (const [index, parts] of (left ?? []).entries()) {
    const others = right?.[index]
    const order = others ? compareParts(parts, others) : 1
    if (order !== 0) return order
  }
  return (left?.length ?? 0) - (right?.length ?? 0) || compareText(a, b)
}

/** Splits `V1_10__add` into `V`, `1`, `_`, `10`, `__add`. */
function splitNumbers(name: string): readonly string[] {
  return name.replace(/\.sql$/i, '').match(/\d+|\D+/g) ?? []
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const areNumbers = /^\d/.test(part) && /^\d/.test(other)
    const order = areNumbers ? compareNumbers(part, other) : compareText(part, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Compares numbers of any length. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')]
  return left.length - right.length || compareText(left, right)
}

/** The names of migrations that undo another one: the part of the name, and its counterparts. */
const DOWN_MIGRATIONS: readonly (readonly [back: RegExp, forth: readonly string[]])[] = [
  [/([._-])down\.sql$/i, ['$1up.sql', '.sql']], // golang-migrate, sqlx, Diesel's files in one folder
  [/(^|\/)down\.sql$/i, ['$1up.sql']], // Hasura, Diesel
  [/([._-])(?:undo|rollback|revert)\.sql$/i, ['.sql', '$1do.sql', '$1up.sql', '$1apply.sql']], // Postgrator, Phinx
  [/(^|\/)U(\d[^/]*)\.sql$/, ['$1V$2.sql']], // Flyway
  [/(^|\/)(?:revert|verify)\/([^/]+)$/i, ['$1deploy/$2']], // Sqitch
]

/** Marks between the up and the down part of a migration file. */
const SECTIONS: readonly { readonly up?: RegExp; readonly down: RegExp }[] = [
  { up: /^--\s*\+goose\s+Up\b/im, down: /^--\s*\+goose\s+Down\b/im },
  { up: /^--\s*\+migrate\s+Up\b/im, down: /^--\s*\+migrate\s+Down\b/im }, // sql-migrate
  { up: /^--\s*migrate:up\b/im, down: /^--\s*migrate:down\b/im }, // dbmate
  { up: /^--\s*Up\s+Migration\b/im, down: /^--\s*Down\s+Migration\b/im }, // node-pg-migrate
  { up: /^(?:#|--)\s*-*\s*!Ups\b/im, down: /^(?:#|--)\s*-*\s*!Downs\b/im }, // Play evolutions
  { up: /^--+\s*Up\s*$/im, down: /^--+\s*Down\s*$/im }, // sqlite's client for Node
  { down: /^-{2,}\s*create above\s*\/\s*drop below\b/im }, // tern
  { up: /^--\s*\/\/\s/m, down: /^--\s*\/\/\s*@UNDO\b/im }, // MyBatis Migrations
]

/** The number of characters in which to look for the first mark of a migration. */
const HEAD = 100_000

/** Leaves out down migrations of other files in the list. */
function onlyForward(names: readonly string[]): readonly string[] {
  const all = new Set(names.map((name) => name.toLowerCase()))
  return names.filter(
    (name) =>
      !DOWN_MIGRATIONS.some(
        ([back, forth]) =>
          back.test(name) && forth.some((form) => all.has(name.replace(back, form).toLowerCase())),
      ),
  )
}

/** Returns a migration without its down part; lines keep their numbers. */
function upSection(sql: string): string {
  return SECTIONS.reduce((text, { down, up }) => {
    const end = !up || up.test(text.slice(0, HEAD)) ? down.exec(text) : undefined
    if (!end) return text
    const next = up?.exec(text.slice(end.index + 1))
    const from = next && next.index > 0 ? end.index + 1 + next.index : text.length
    return text.slice(0, end.index) + text.slice(end.index, from).replace(/[^\n]+/g, '') + text.slice(from)
  }, sql)
}

/** The largest total size of the files in megabytes; in memory they take about 2.5 times as much. */
const MOST_MEGABYTES = 400

interface ReadSqlOptions {
  readonly encoding?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the file, or all `*.sql` files of the folder and those below it, in the natural order of their paths: `V2`
 * comes before `V10`. Down migrations are left out.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if a path cannot be read, there is no such file, or the files
 * are too large.
 */
export async function readSqlFiles(
  path: string,
  { encoding, signal }: ReadSqlOptions = {},
): Promise<readonly SqlFile[]> {
  const names = await listSqlFiles(path)
  if (names.length === 0) throw unreadable(path, 'no *.sql file in it')
  await assertReadable(path, names)
  const files: SqlFile[] = []
  for (const name of names) {
    signal?.throwIfAborted()
    files.push({ name, sql: upSection(await readText(name, encoding)) })
  }
  return files
}

async function assertReadable(path: string, names: readonly string[]): Promise<void> {
  let bytes = 0
  for (const name of names)
    bytes += await stat(name).then(
      ({ size }) => size,
      () => 0,
    ) // reading it reports the reason
  const megabytes = Math.ceil(bytes / 1e6)
  if (megabytes <= MOST_MEGABYTES) return
  const suggestion =
    'dump the schema without rows, with pg_dump --schema-only, mysqldump --no-data or .schema of sqlite3'
  const most = `SQL files can have at most ${MOST_MEGABYTES} MB in total`
  throw unreadable(path, `it is ${megabytes} MB, but ${most}`, undefined, suggestion)
}

async function listSqlFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = await listFolder(path, '', new Set())
    return onlyForward(names.toSorted(compareNaturally)).map((name) => join(path, name))
  } catch (error) {
    throw fileFailed(error, path)
  }
}

/** The scripts below a folder, with `/` in their paths. Links are followed, each folder once. */
async function listFolder(root: string, below: string, seen: Set<string>): Promise<readonly string[]> {
  const folder = join(root, below)
  const real = await realpath(folder)
  if (seen.has(real)) return []
  seen.add(real)
  const names: string[] = []
  for (const entry of await readdir(folder)) {
    const name = below === '' ? entry : `${below}/${entry}`
    const found = await stat(join(root, name)).catch(() => undefined) // a broken link
    if (found?.isDirectory()) names.push(...(await listFolder(root, name, seen)))
    else if (entry.toLowerCase().endsWith('.sql')) names.push(name)
  }
  return names
}
