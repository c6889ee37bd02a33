import { PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Plain } from './table-parts.ts'

/**
 * Adds the log of changes. Triggers write it, so that no statement can omit it, and processes of earlier versions
 * write it too.
 */
export const changeLog: Migration = {
  async up(db: Plain) {
    await (isPostgres(db) ? logInPostgres(db) : logInSqlite(db))
    await db.schema.createIndex('changes_by_age').on('changes').columns(['created_at']).execute()
    for (const rule of RULES) await watch(db, rule)
  },
}

/** Logs what changes in conversations too. */
export const talkChanges: Migration = {
  async up(db: Plain) {
    for (const rule of TALK_RULES) await watch(db, rule)
  },
}

/**
 * `position` is the number of the transaction. Rows below the oldest open transaction are complete, while numbers of a
 * sequence become visible in any order.
 */
async function logInPostgres(db: Plain): Promise<void> {
  await sql`
    create table changes (
      position bigint not null default (pg_current_xact_id()::text)::bigint,
      seq bigint generated always as identity,
      project_id text not null, kind text not null, resource_id text not null, change text not null, state text,
      created_at bigint not null default (extract(epoch from clock_timestamp()) * 1000)::bigint,
      primary key (position, seq)
    )`.execute(db)
}

/** There is a single writer, so rows become visible in order. */
async function logInSqlite(db: Plain): Promise<void> {
  await sql`
    create table changes (
      seq integer primary key autoincrement,
      position integer not null default 0,
      project_id text not null, kind text not null, resource_id text not null, change text not null, state text,
      created_at integer not null default (cast(unixepoch('subsec') * 1000 as integer))
    )`.execute(db)
}

/** The rule for logging changes of a table. Parts are SQL, in which `row` is the row. */
interface Rule {
  readonly table: string
  readonly kind: string
  /** Default: `row.project_id`. */
  readonly project?: string
  /** Default: none. */
  readonly state?: string
  /** The condition for logging new rows. Default: all. */
  readonly inserted?: string
  /** The columns whose change is logged, and a further condition for the new row. Default: no change is logged. */
  readonly updated?: { readonly columns: readonly string[]; readonly where?: string }
  /** True if the deletion of a row is logged. */
  readonly deleted?: true
  /** True for statements that change many rows at once: PostgreSQL logs them as one entry, using only `where`. */
  readonly isBulk?: true
}

const LIVE_JOB = { columns: ['state', 'progress'] } as const

/** Rules leave out leases, counters and times of use, because they change often and no client needs them. */
const RULES: readonly Rule[] = [
  {
    table: 'projects',
    kind: `'project'`,
    project: 'row.id',
    updated: { columns: ['version', 'connection_id'] },
    deleted: true,
  },
  {
    table: 'api_keys',
    kind: `'key'`,
    state: `case when row.revoked_at is null then null else 'revoked' end`,
    inserted: 'true',
    updated: { columns: ['revoked_at', 'last_used_at'] },
    deleted: true,
  },
  { table: 'sessions', kind: `'session'`, deleted: true },
  {
    table: 'connections',
    kind: `'connection'`,
    inserted: 'true',
    updated: { columns: ['version', 'last_test'] },
    deleted: true,
  },
  { table: 'scans', kind: `'scan'`, state: 'row.state', inserted: 'true', updated: LIVE_JOB },
  {
    table: 'units',
    kind: `'unit'`,
    inserted: 'true',
    updated: { columns: ['version', 'last_generation_id'] },
    deleted: true,
  },
  {
    table: 'generations',
    kind: `case row.kind when 'project' then 'batch' else 'generation' end`,
    state: 'row.state',
    inserted: 'row.batch_id is null',
    updated: { columns: ['state'] },
  },
  { table: 'pushes', kind: `'push'`, state: 'row.state', inserted: 'true', updated: { columns: ['state'] } },
  { table: 'analyses', kind: `'analysis'`, state: 'row.state', inserted: 'true', updated: LIVE_JOB },
  { table: 'events', kind: `'event'`, inserted: 'row.is_test = 0' },
  {
    table: 'webhooks',
    kind: `'webhook'`,
    state: 'row.state',
    inserted: 'true',
    updated: { columns: ['version', 'state', 'notice'] },
    deleted: true,
  },
  {
    table: 'deliveries',
    kind: `'delivery'`,
    state: 'row.state',
    inserted: `row.trigger <> 'event'`,
    updated: { columns: ['state'], where: `row.state <> 'sending'` },
    isBulk: true,
  },
]

/** Events and tokens of a running answer are sent by the stream of its message. */
const TALK_RULES: readonly Rule[] = [
  {
    table: 'conversations',
    kind: `'conversation'`,
    inserted: 'true',
    updated: { columns: ['title', 'messages'] },
    deleted: true,
  },
  {
    table: 'messages',
    kind: `'message'`,
    state: 'row.state',
    inserted: 'true',
    updated: { columns: ['state'] },
  },
  { table: 'proposals', kind: `'proposal'`, inserted: 'true', updated: { columns: ['push_id'] } },
]

async function watch(db: Plain, rule: Rule): Promise<void> {
  const { deleted, inserted, updated } = rule
  if (inserted !== undefined) await addTrigger(db, rule, { on: 'insert', change: 'created', when: inserted })
  if (updated) {
    const { columns, where } = updated
    if (rule.isBulk && isPostgres(db)) return await addBulkTrigger(db, rule, where ?? 'true')
    const changed = columns.map((column) => differs(db, column)).join(' or ')
    const when = where === undefined ? changed : `(${changed}) and ${where}`
    await addTrigger(db, rule, { on: `update of ${columns.join(', ')}`, change: 'updated', when })
  }
  if (deleted) await addTrigger(db, rule, { on: 'delete', change: 'deleted', when: 'true' })
}

function differs(db: Plain, column: string): string {
  return isPostgres(db)
    ? `old.${column} is distinct from new.${column}`
    : `old.${column} is not new.${column}`
}

function isPostgres(db: Plain): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

interface Trigger {
  readonly on: string
  readonly change: 'created' | 'updated' | 'deleted'
  readonly when: string
}

async function addTrigger(db: Plain, rule: Rule, { change, on, when }: Trigger): Promise<void> {
  const { kind, project = 'row.project_id', state = 'null', table } = rule
  const ofRow = (text: string): string => text.replaceAll(/\brow\./g, change === 'deleted' ? 'old.' : 'new.')
  const name = `log_${table}_${change}`
  const insert = ofRow(`
    insert into changes (project_id, kind, resource_id, change, state)
    values (${project}, ${kind}, row.id, '${change}', ${state});`)
  const condition = ofRow(when)
  if (!isPostgres(db)) {
    await sql`${sql.raw(`create trigger ${name} after ${on} on ${table} when ${condition} begin ${insert} end`)}`.execute(
      db,
    )
    return
  }
  // Uses the current schema, so that manual changes of rows need not set it.
  await sql`${sql.raw(
    `create function ${name}() returns trigger language plpgsql set search_path from current
    as $$ begin ${insert} return null; end $$`,
  )}`.execute(db)
  await sql`${sql.raw(
    `create trigger ${name} after ${on} on ${table} for each row when (${condition}) execute function ${name}()`,
  )}`.execute(db)
}

/** Logs the rows that a statement updates, for a table whose deletions are not logged. */
async function addBulkTrigger(
  db: Plain,
  { kind, state = 'null', table }: Rule,
  where: string,
): Promise<void> {
  const name = `log_${table}_updated`
  const ofOne = (text: string): string => text.replaceAll(/\brow\./g, 'one.')
  const insert = `
    insert into changes (project_id, kind, resource_id, change, state)
    select one.project_id, ${kind}, one.id, 'updated', ${ofOne(state)} from changed one where ${ofOne(where)};`
  await sql`${sql.raw(
    `create function ${name}() returns trigger language plpgsql set search_path from current
    as $$ begin ${insert} return null; end $$`,
  )}`.execute(db)
  await sql`${sql.raw(
    `create trigger ${name} after update on ${table} referencing new table as changed
    for each statement execute function ${name}()`,
  )}`.execute(db)
}
