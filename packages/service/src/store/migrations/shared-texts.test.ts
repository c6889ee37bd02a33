import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../../test/service/each-store.ts'
import { callOf, openTestContext } from '../../../../../test/service/open-test-context.ts'
import { newGeneration } from '../../generations/batch-members.ts'
import { generationHandlers } from '../../generations/generation-handlers.ts'
import { pruneTexts } from '../../generations/generated-files.ts'
import { projectHandlers } from '../../projects/project-handlers.ts'
import { MIGRATIONS } from './index.ts'

const BEFORE = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0010'))
const HOUR = 3_600_000

/** The tables as the version before these migrations knew them. */
interface Earlier {
  readonly projects: Record<string, unknown>
  readonly generations: Record<string, unknown>
  readonly generation_files: { generation_id: string; path: string; content: string; lines: number }
}

const CALLER = { keyId: 'key_1', projectId: 'proj_1', scopes: [] }
const SQL = 'select 1 as "größe" -- 🐘\n'

/** A row as the version before knew it. */
function earlierGeneration(given: { readonly id: string; readonly project_id: string }, now: number) {
  const {
    asked_by: _,
    column_count: __,
    ...known
  } = newGeneration({ kind: 'unit', columns: 'live', ...given }, now)
  return known
}

async function fill(db: Kysely<Earlier>, now: number): Promise<void> {
  for (const id of ['proj_1', 'proj_2'])
    await db
      .insertInto('projects')
      .values({ id, name: id, config: '{}', version: 1, created_at: now, updated_at: now })
      .execute()
  // More files than are copied at once, and a text that is at both sides of the cut.
  const generations = Array.from({ length: 450 }, (_, index) => {
    const project_id = index % 9 === 0 ? 'proj_2' : 'proj_1'
    const id = `gen_${String(index).padStart(4, '0')}`
    return { ...earlierGeneration({ id, project_id }, now), state: 'completed' }
  })
  await db.insertInto('generations').values(generations).execute()
  const files = generations.flatMap(({ id }, index) => [
    { generation_id: id, path: 'models/a.sql', content: SQL, lines: 1 },
    { generation_id: id, path: 'models/b.yml', content: `version: ${index % 100}\n`, lines: 1 },
  ])
  for (let start = 0; start < files.length; start += 300)
    await db
      .insertInto('generation_files')
      .values(files.slice(start, start + 300))
      .execute()
}

await describeEachStore('a filled store of an earlier version', MIGRATIONS, (open) => {
  test('keeps its files through the later migrations, and stores each text once', async () => {
    const old = await open({ migrations: BEFORE })
    const oldDb = old.db as unknown as Kysely<Earlier>
    const now = await old.now()
    await fill(oldDb, now)

    const store = await open()
    const { db } = store
    const context = openTestContext(store)
    const file = async (generationId: string, path: string): Promise<string> => {
      const { bytes } = (await generationHandlers(context).getGeneratedFile(
        callOf(CALLER, { params: { generationId, path } }),
      )) as unknown as { readonly bytes: Uint8Array }
      return new TextDecoder().decode(bytes)
    }
    const countOf = async (table: 'file_texts' | 'generated_files'): Promise<number> =>
      (await db.selectFrom(table).select('project_id').execute()).length
    expect(await countOf('generated_files')).toBe(900)
    // In one project 100 different ones and the one that all have, in the other 50 and that one.
    expect(await countOf('file_texts')).toBe(101 + 51)
    expect(await file('gen_0001', 'models/a.sql')).toBe(SQL)
    expect(await file('gen_0449', 'models/b.yml')).toBe('version: 49\n')

    // A process that was started before reads and writes on.
    const read = () =>
      oldDb.selectFrom('generation_files').selectAll().where('generation_id', '=', 'gen_new').execute()
    await oldDb
      .insertInto('generations')
      .values(earlierGeneration({ id: 'gen_new', project_id: 'proj_1' }, now))
      .execute()
    const added = ['c.sql', 'd.sql'].map((path) => ({
      generation_id: 'gen_new',
      path,
      content: SQL,
      lines: 1,
    }))
    await oldDb.insertInto('generation_files').values(added).execute()
    expect(await read()).toEqual(added)
    expect(await file('gen_new', 'd.sql')).toBe(SQL)

    await sql`delete from generations where id = 'gen_new'`.execute(db)
    expect(await countOf('file_texts')).toBe(152 + 2)
    await pruneTexts(db, now + 2 * HOUR)
    expect(await countOf('file_texts')).toBe(152)

    await projectHandlers(context).deleteProject(callOf(CALLER, { params: { projectId: 'proj_1' } }))
    expect(await countOf('generated_files')).toBe(100)
    expect(await countOf('file_texts')).toBe(51)
  })
})
