import { sql } from 'kysely'
import type { ServiceContext } from '../context.ts'

/** The result of `resealSecrets`. */
export interface Resealed {
  /** The number of secrets that were encrypted again with the newest key. */
  readonly resealed: number
  /** The places of secrets that none of the keys decrypts: `connections/conn_…/catalog`. They stay as they are. */
  readonly unreadable: readonly string[]
}

interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The columns that identify a row. */
  readonly keys: readonly string[]
  /** Returns the place that the text of a row is bound to. @default `<table>/<key>/<column>` */
  readonly place?: (keys: readonly string[]) => string
}

/** All columns with encrypted texts. A test compares them with the columns of a filled store. */
const SEALED: readonly SealedColumn[] = [
  { table: 'settings', column: 'value', keys: ['name'], place: ([name = '']) => name },
  { table: 'projects', column: 'git_secret', keys: ['id'] },
  { table: 'connections', column: 'catalog', keys: ['id'] },
  { table: 'webhooks', column: 'secret', keys: ['id'] },
  { table: 'webhooks', column: 'previous_secret', keys: ['id'] },
  { table: 'webhooks', column: 'headers', keys: ['id'] },
  { table: 'assistant_settings', column: 'api_key', keys: ['project_id'] },
  {
    table: 'idempotency_keys',
    column: 'answer',
    keys: ['holder_id', 'route', 'key'],
    place: () => 'idempotency_keys/answer',
  },
]

const BATCH = 200

/**
 * Encrypts every secret again with the newest key. Processes may use the store meanwhile if each of them has the
 * newest key. A second call, or one after an interruption, handles the rest.
 */
export async function resealSecrets(context: Pick<ServiceContext, 'cipher' | 'store'>): Promise<Resealed> {
  const counts: Resealed[] = []
  for (const column of SEALED) counts.push(await resealColumn(context, column))
  return {
    resealed: counts.reduce((sum, { resealed }) => sum + resealed, 0),
    unreadable: counts.flatMap(({ unreadable }) => unreadable),
  }
}

async function resealColumn(
  context: Pick<ServiceContext, 'cipher' | 'store'>,
  column: SealedColumn,
): Promise<Resealed> {
  const unreadable: string[] = []
  let resealed = 0
  for (;;) {
    // Encrypted rows no longer match, so only unreadable ones are skipped.
    const rows = await readOlder(context, column, unreadable.length)
    if (rows.length === 0) return { resealed, unreadable }
    for (const row of rows) {
      const outcome = await resealRow(context, column, row)
      if (outcome === 'resealed') resealed += 1
      else if (outcome !== 'changed') unreadable.push(outcome.place)
    }
  }
}

interface SealedRow {
  readonly keys: readonly string[]
  readonly sealed: string
}

/** Reads texts that the newest key did not encrypt. */
async function readOlder(
  { cipher, store }: Pick<ServiceContext, 'cipher' | 'store'>,
  { column, keys, table }: SealedColumn,
  offset: number,
): Promise<readonly SealedRow[]> {
  const order = sql.join(keys.map((key) => sql.ref(key)))
  const { rows } = await sql<Record<string, string>>`
    select ${order}, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} like ${'v1.%'} and ${sql.ref(column)} not like ${`${cipher.newest}%`}
    order by ${order} limit ${BATCH} offset ${offset}
  `.execute(store.db)
  return rows.map((row) => ({ keys: keys.map((key) => row[key] ?? ''), sealed: row['sealed'] ?? '' }))
}

/** Skips a text that was just replaced by someone else. */
async function resealRow(
  { cipher, store }: Pick<ServiceContext, 'cipher' | 'store'>,
  { column, keys: names, place: placeOf, table }: SealedColumn,
  { keys, sealed }: SealedRow,
): Promise<'resealed' | 'changed' | { readonly place: string }> {
  const place = placeOf ? placeOf(keys) : `${table}/${keys.join('/')}/${column}`
  let text: string
  try {
    text = cipher.open(sealed, place)
  } catch {
    return { place }
  }
  const isRow = sql.join(
    names.map((name, index) => sql`${sql.ref(name)} = ${keys[index]}`),
    sql` and `,
  )
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${cipher.seal(text, place)}
    where ${isRow} and ${sql.ref(column)} = ${sealed}
  `.execute(store.db)
  return numAffectedRows === 1n ? 'resealed' : 'changed'
}
