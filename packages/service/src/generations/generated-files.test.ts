import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import { addProject, openTestContext } from '../../../../test/service/open-test-context.ts'
import { MIGRATIONS } from '../store/migrations/index.ts'
import { newGeneration } from './batch-members.ts'
import { pruneTexts, storeFiles } from './generated-files.ts'

const HOUR = 3_600_000

await describeEachStore('generated files', MIGRATIONS, (open, _, engine) => {
  const start = async () => {
    const store = await open()
    const context = openTestContext(store)
    const { projectId } = await addProject(context)
    const now = await store.now()
    const add = async (generationId: string, contents: readonly string[], at = now): Promise<void> => {
      const row = newGeneration(
        { id: generationId, kind: 'unit', columns: 'live', project_id: projectId },
        now,
      )
      await store.transaction(async (tx) => {
        await tx.insertInto('generations').values(row).execute()
        const files = contents.map((content, index) => ({ path: `${index}.sql`, content, lines: 1 }))
        await storeFiles(tx, files, { projectId, generationId, now: at })
      })
    }
    const texts = async () =>
      (await store.db.selectFrom('file_texts').select('content').orderBy('content').execute()).map(
        ({ content }) => content,
      )
    return { add, now, store, texts }
  }

  test('have their texts once, however many generations write them at once', async () => {
    const { add, texts } = await start()
    const contents = Array.from({ length: 20 }, (_unused, index) => `select ${index}\n`)
    const turned = (by: number) => [...contents.slice(by), ...contents.slice(0, by)]
    await Promise.all(Array.from({ length: 8 }, (_unused, index) => add(`gen_${index}`, turned(index))))
    expect(await texts()).toEqual(contents.toSorted())
  })

  test('lose their texts with the last generation that has them, but not while one begins to', async () => {
    const { add, now, store, texts } = await start()
    await add('gen_1', ['both', 'one'])
    await add('gen_2', ['both', 'other'])
    await store.db.deleteFrom('generations').where('id', '=', 'gen_1').execute()
    await pruneTexts(store.db, now + HOUR / 2)
    expect(await texts()).toEqual(['both', 'one', 'other'])
    await add('gen_3', ['one'], now + HOUR)
    await store.db.deleteFrom('generations').where('id', '=', 'gen_3').execute()
    await pruneTexts(store.db, now + 1.5 * HOUR)
    expect(await texts()).toEqual(['both', 'one', 'other'])
    await pruneTexts(store.db, now + 3 * HOUR)
    expect(await texts()).toEqual(['both', 'other'])
  })

  test('are looked up by an index when texts are deleted', async () => {
    const { add, store } = await start()
    await add(
      'gen_1',
      Array.from({ length: 200 }, (_unused, index) => `select ${index}`),
    )
    const query = sql.raw(`select 1 from generated_files where project_id = 'proj_1' and hash = 'x'`)
    if (engine === 'postgres') await sql`set enable_seqscan = off`.execute(store.db)
    const how = sql.raw(engine === 'postgres' ? 'explain' : 'explain query plan')
    const { rows } = await sql`${how} ${query}`.execute(store.db)
    expect(JSON.stringify(rows)).toContain('generated_files_by_text')
  })
})
