import { createHash } from 'node:crypto'
import { PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Plain } from './table-parts.ts'

/**
 * Stores each text of generated files once in its project. Running processes of an earlier version use
 * `generation_files`, which becomes a writable view until a later version drops it.
 */
export const sharedTexts: Migration = {
  async up(db: Plain) {
    await createTables(db.schema)
    await copyFiles(db)
    await db.schema.dropTable('generation_files').execute()
    await sql`
      create view generation_files as
      select generated_files.generation_id, generated_files.path, file_texts.content, generated_files.lines
      from generated_files join file_texts
        on file_texts.project_id = generated_files.project_id and file_texts.hash = generated_files.hash`.execute(
      db,
    )
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    await (isPostgres ? takeFilesInPostgres(db) : takeFilesInSqlite(db))
  },
}

async function createTables(schema: Plain['schema']): Promise<void> {
  await schema
    .createTable('file_texts')
    .addColumn('project_id', 'text', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('file_texts_key', ['project_id', 'hash'])
    .execute()
  await schema
    .createTable('generated_files')
    .addColumn('generation_id', 'text', (column) =>
      column.notNull().references('generations.id').onDelete('cascade'),
    )
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('lines', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('generated_files_key', ['generation_id', 'path'])
    // Checked at the end of a transaction, because deleting a project deletes both in any order.
    .addForeignKeyConstraint(
      'generated_files_text',
      ['project_id', 'hash'],
      'file_texts',
      ['project_id', 'hash'],
      (constraint) => constraint.deferrable().initiallyDeferred(),
    )
    .execute()
  await schema
    .createIndex('generated_files_by_text')
    .on('generated_files')
    .columns(['project_id', 'hash'])
    .execute()
}

/** The maximum number of rows in one statement of both engines. */
const BATCH = 500

interface OldFile {
  readonly generation_id: string
  readonly path: string
  readonly content: string
  readonly lines: number
  readonly project_id: string
}

/** Hashes here, because only one of the engines can hash a text. */
async function copyFiles(db: Plain): Promise<void> {
  let last: OldFile | undefined
  do {
    const after = last
      ? sql`where (file.generation_id, file.path) > (${last.generation_id}, ${last.path})`
      : sql``
    const { rows } = await sql<OldFile>`
      select file.generation_id, file.path, file.content, file.lines, generations.project_id
      from generation_files file join generations on generations.id = file.generation_id ${after}
      order by file.generation_id, file.path limit ${sql.lit(BATCH)}`.execute(db)
    await copyBatch(db, rows)
    last = rows.length === BATCH ? rows.at(-1) : undefined
  } while (last)
}

async function copyBatch(db: Plain, rows: readonly OldFile[]): Promise<void> {
  if (rows.length === 0) return
  const files = rows.map(({ content, ...file }) => ({
    content,
    file: { ...file, hash: createHash('sha256').update(content).digest('hex') },
  }))
  await db
    .insertInto('file_texts')
    .values(files.map(({ content, file: { hash, project_id } }) => ({ project_id, hash, content })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('generated_files')
    .values(files.map(({ file }) => file))
    .execute()
}

/** The key of a text that an earlier version stores. It is unique, because that version does not share texts. */
const OWN = "'own ' || new.generation_id || ' ' || new.path"

async function takeFilesInPostgres(db: Plain): Promise<void> {
  await sql`
    create function take_generation_file() returns trigger language plpgsql as $$
    declare place text := (select project_id from generations where id = new.generation_id);
    begin
      insert into file_texts (project_id, hash, content) values (place, ${sql.raw(OWN)}, new.content);
      insert into generated_files (generation_id, path, project_id, hash, lines)
        values (new.generation_id, new.path, place, ${sql.raw(OWN)}, new.lines);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger generation_files_insert instead of insert on generation_files
    for each row execute function take_generation_file()`.execute(db)
}

async function takeFilesInSqlite(db: Plain): Promise<void> {
  await sql`
    create trigger generation_files_insert instead of insert on generation_files
    begin
      insert into file_texts (project_id, hash, content)
        select project_id, ${sql.raw(OWN)}, new.content from generations where id = new.generation_id;
      insert into generated_files (generation_id, path, project_id, hash, lines)
        select new.generation_id, new.path, project_id, ${sql.raw(OWN)}, new.lines
        from generations where id = new.generation_id;
    end`.execute(db)
}
