import { PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Plain } from './table-parts.ts'

/**
 * Renames `announced` to `start_published`. Running processes of an earlier version know only the old name. The old column
 * is kept, with a default, and triggers keep both equal until a later version drops it.
 */
export const startPublished: Migration = {
  async up(db: Plain) {
    const { schema } = db
    const add = (column: string) =>
      schema
        .alterTable('generations')
        .addColumn(column, 'integer', (of) => of.notNull().defaultTo(0))
        .execute()
    await add('start_published')
    await sql`update generations set start_published = 1 where announced = 1`.execute(db)
    // SQLite cannot add a default to an existing column.
    await schema.alterTable('generations').dropColumn('announced').execute()
    await add('announced')
    await sql`update generations set announced = 1 where start_published = 1`.execute(db)
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await (isPostgres ? keepEqualInPostgres(db) : keepEqualInSqlite(db))
  },
}

async function keepEqualInPostgres(db: Plain): Promise<void> {
  await sql`
    create function copy_start_published() returns trigger language plpgsql as $$
    begin
      new.start_published := greatest(new.start_published, new.announced);
      new.announced := new.start_published;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger generations_start_published before insert or update of announced, start_published on generations
    for each row execute function copy_start_published()`.execute(db)
}

async function keepEqualInSqlite(db: Plain): Promise<void> {
  for (const event of ['insert', 'update of announced, start_published'])
    await sql`
      create trigger ${sql.ref(`generations_start_published_${event.slice(0, 6)}`)}
      after ${sql.raw(event)} on generations when new.announced <> new.start_published
      begin update generations set announced = 1, start_published = 1 where id = new.id; end`.execute(db)
}
