import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { World } from '../open-world.ts'

const MANY = 10_000
/** The one of them that is searched for. */
const WANTED = 'many_07777'

/** The columns that differ from copy to copy, as SQL over `number`; `name` is `many_00001`. */
type Columns = Readonly<Record<string, string>>

interface Copied {
  readonly table: string
  /** The row that is copied. */
  readonly from?: string
  readonly columns: Columns
}

const ID = { id: `id || printf('x%05d', number)`, created_at: 'created_at - number' }

/** Every table that a list shows. */
const copiedOf = ({ analysis }: World['ids']): readonly Copied[] => [
  { table: 'units', columns: { ...ID, name: 'name_', source: `source || '_' || name_` } },
  {
    table: 'source_tables',
    columns: { name: `name || '_' || name_`, lower_name: `lower_name || '_' || name_` },
  },
  { table: 'generations', from: `state = 'completed' and kind = 'unit'`, columns: ID },
  { table: 'scans', from: `state = 'completed'`, columns: ID },
  { table: 'pushes', from: `state = 'completed'`, columns: ID },
  { table: 'analyses', from: `state = 'completed'`, columns: ID },
  {
    table: 'findings',
    columns: { ...ID, analysis_id: `'${analysis}'`, message: 'name_', fingerprint: `fingerprint || number` },
  },
  { table: 'conversations', columns: ID },
  {
    table: 'events',
    from: `event = 'unit.created'`,
    columns: { ...ID, payload: `replace(payload, '"source":"', '"source":"' || name_)` },
  },
  {
    table: 'deliveries',
    from: `state = 'delivered'`,
    columns: { ...ID, trigger: `'manual'`, state: `'exhausted'`, last_failure: 'name_' },
  },
  { table: 'api_keys', columns: { ...ID, name: 'name_', hash: 'lower(hex(randomblob(32)))' } },
  { table: 'connections', columns: { ...ID, name: 'name_' } },
  { table: 'audit_log', columns: { ...ID, resource_id: 'name_' } },
]

/** Copies a row of a table ten thousand times. */
function copy(database: DatabaseSync, { columns, from = '1 = 1', table }: Copied): void {
  const names = database.prepare(`select name from pragma_table_info('${table}')`).all()
  const all = names.map(({ name }) => String(name))
  const values = all.map((name) => columns[name] ?? `"${name}"`)
  database.exec(`
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${MANY})
    insert into ${table} (${all.map((name) => `"${name}"`).join()})
    select ${values.join()} from
      (select numbers.number, printf('many_%05d', number) as name_, one.* from numbers,
        (select * from ${table} where ${from} limit 1) as one)`)
}

/** A list of texts as JSON. */
const namesOf = (name: string): string =>
  JSON.stringify(Array.from({ length: MANY }, (_, index) => `${name}_${index}`))

/** Fills the lists, and makes a scan and a push that found and change as many things. */
function fillStore({ folder, ids }: World): void {
  const database = new DatabaseSync(join(folder, 'stagecraft.db'), { timeout: 60_000 })
  try {
    for (const copied of copiedOf(ids)) copy(database, copied)
    database
      .prepare(`update scans set changes = json_set(changes, '$.tablesAdded', json(?)) where id = ?`)
      .run(namesOf('table'), ids.scan)
    const warnings = Array.from({ length: MANY }, (_, index) => ({
      code: 'TABLE_TOO_LARGE',
      message: `table_${index} is not read`,
    }))
    database.prepare('update scans set warnings = ? where id = ?').run(JSON.stringify(warnings), ids.scan)
    const plan = database.prepare('select plan from pushes where id = ?').get(ids.push)?.['plan']
    const { files, ...rest } = JSON.parse(String(plan)) as { readonly files: readonly object[] }
    const many = Array.from({ length: MANY }, (_, index) => ({
      ...files[0],
      path: `models/many_${index}.sql`,
    }))
    database
      .prepare('update pushes set plan = ? where id = ?')
      .run(JSON.stringify({ ...rest, files: many }), ids.push)
  } finally {
    database.close()
  }
}

interface Many {
  readonly path: string
  /** The name of the region of its rows. */
  readonly region: string
  /** The label of the field by which one row is found. */
  readonly search?: string
}

const pagesOf = ({ ids }: World): readonly Many[] => [
  { path: '/units', region: 'Units', search: 'Name or source contains' },
  { path: '/sources', region: 'Sources', search: 'Name contains' },
  { path: '/generations', region: 'Generations' },
  { path: '/scans', region: 'Scans' },
  { path: '/pushes', region: 'Pushes' },
  { path: '/findings', region: 'Findings' },
  { path: `/findings/${ids.analysis}`, region: 'Findings', search: 'Message contains' },
  { path: '/assistant', region: 'Assistant' },
  { path: '/connections', region: 'Connections' },
  { path: '/events', region: 'Event log', search: 'Payload contains' },
  { path: '/deliveries', region: 'Deliveries', search: 'Failure contains' },
  { path: '/keys', region: 'API keys', search: 'Name contains' },
  { path: '/audit', region: 'Audit log', search: 'Resource' },
]

/** The most elements of a page, whatever the number of its things. */
const MOST_ELEMENTS = 4000

const countElements = (page: Page): Promise<number> => page.evaluate('document.querySelectorAll("*").length')

/** Scrolls to the end of the rows, a screen at a time, and returns the longest time between two frames. */
const scroll = (page: Page): Promise<number> =>
  page.evaluate(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const table = document.querySelector('main .table')
    let longest = 0
    for (let at = 0; at < table.scrollHeight; at += 400) {
      const before = performance.now()
      table.scrollTop = at
      scrollTo(0, at)
      await frame()
      longest = Math.max(longest, performance.now() - before)
    }
    return longest
  })()`)

/** What the first row says, but for its times, which pass. */
const firstOf = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const row = document.querySelector('main tbody tr').cloneNode(true)
    for (const time of row.querySelectorAll('time')) time.remove()
    return [row.querySelector('a')?.getAttribute('href'), row.textContent].join(' ')
  })()`)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return Math.round(performance.now() - start)
}

async function walk(page: Page, { path, region, search }: Many, open: (path: string) => Promise<void>) {
  const rows = page.getByRole('region', { name: region, exact: true }).locator('tbody tr')
  const opened = await timed(async () => {
    await open(path)
    await rows.first().waitFor()
  })
  await expect.poll(() => rows.count(), { message: path }).toBe(100)
  expect(await countElements(page), path).toBeLessThan(MOST_ELEMENTS)
  const frame = Math.round(await scroll(page))
  const first = await firstOf(page)
  const next = await timed(async () => {
    await page.getByRole('link', { name: 'Next page' }).first().click()
    await expect.poll(() => firstOf(page), { message: path }).not.toBe(first)
  })
  await expect.poll(() => rows.count(), { message: path }).toBe(100)
  await page.goBack()
  await expect.poll(() => firstOf(page), { message: path }).toBe(first)
  const found =
    search &&
    (await timed(async () => {
      await page.getByLabel(search, { exact: true }).fill(WANTED)
      await expect.poll(() => rows.count(), { message: path }).toBe(1)
    }))
  return { path, opened, frame, next, found }
}

/** With ten thousand of everything, each page has as many elements as before, and each list leads on and finds one. */
export async function holdMany(world: World): Promise<void> {
  fillStore(world)
  const { complaints, follow, open, page } = await world.signIn()
  await open('/settings')
  const times: object[] = []
  for (const many of pagesOf(world)) times.push(await walk(page, many, follow))
  const { batch, delivery, push, scan, source, unit, webhook } = world.ids
  const details = `/ /scans/${scan} /pushes/${push} /bulk?look=1 /generations/${batch} /units/${unit} /sources/${source} /webhooks/${webhook} /deliveries/${delivery}`
  for (const path of details.split(' ')) {
    times.push({ path, opened: await timed(() => follow(path)), elements: await countElements(page) })
    expect(await countElements(page), path).toBeLessThan(MOST_ELEMENTS)
  }
  await follow(`/scans/${scan}`)
  expect(await page.getByRole('region', { name: 'Warnings' }).getByRole('listitem').count()).toBe(200)
  await page.getByRole('button', { name: 'Show 200 more of 9,800' }).last().click()
  expect(await page.getByRole('region', { name: 'Changes' }).locator('tbody tr').count()).toBe(400)
  expect(complaints).toEqual([])
  if (process.env['STAGECRAFT_SHOW_TIMES']) console.table(times)
}
