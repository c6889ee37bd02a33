import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { SuggestionData } from '@stagecraft/core/inference'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Explanation } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runWarm, temporaryFolder } from './run-cli.ts'

const FILES = {
  'dbt_project.yml': 'name: shop\n',
  'models/staging/sources.yml': `sources:
  - name: raw
    schema: main
    tables: [{name: orders}, {name: ppl}]
`,
  'models/staging/stg_orders.sql':
    "with source as (select * from {{ source('raw', 'orders') }})\nselect id as order_id, buyer as buyer_ref from source\n",
  'models/staging/stg_people.sql': "select id as ppl_id, name from {{ source('raw', 'ppl') }}\n",
  'models/marts/buyers.sql': `with orders as (select * from {{ ref('stg_orders') }})
select people.ppl_id, count(*) as orders
from {{ ref('stg_people') }} as people
left join orders
    on orders.buyer_ref = people.ppl_id
group by 1
`,
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-joins-'))
afterAll(() => rmSync(folder, { recursive: true }))
const database = join(folder, 'shop.duckdb')
const catalog = ['--catalog', `duckdb:${database}`]

beforeAll(async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  await connection.run(
    'create table orders as select i + 1000 as id, i * 7 % 60 + 1 as buyer from range(300) t(i)',
  )
  await connection.run("create table ppl as select i as id, 'n' || i as name from range(1, 61) t(i)")
  connection.closeSync()
  instance.closeSync()
})

async function suggested(more: readonly string[] = [], from = folder): Promise<readonly SuggestionData[]> {
  const { code, stdout } = await runWarm(['suggest', 'main.*', '--json', ...catalog, ...more], {
    folder: from,
  })
  expect(code).toBe(0)
  return JSON.parse(stdout) as readonly SuggestionData[]
}

const ID = 'main.orders.buyer:references'

test('a join of a model proposes a reference that no name tells, and says where it stands', async () => {
  expect((await suggested()).find(({ id }) => id === ID)).toEqual({
    id: ID,
    kind: 'references',
    table: { database: 'shop', schema: 'main', name: 'orders' },
    columns: ['buyer'],
    text: 'ppl.id',
    why: 'join in project, joined at models/marts/buyers.sql:5',
    origin: 'join',
    confidence: 0.85,
    setting: {
      path: ['sources', 'main', 'tables', 'orders', 'columns', 'buyer', 'references'],
      value: 'ppl.id',
    },
  })
  expect((await suggested([], temporaryFolder())).map(({ id }) => id)).not.toContain(ID)
})

test('rows that agree make a test of it, which says so when asked', async () => {
  const found = (await suggested(['--profile'])).find(({ id }) => id === ID)
  expect(found).toMatchObject({
    origin: 'data',
    why: 'join in project, 60 distinct values, joined at models/marts/buyers.sql:5',
  })
  const { stdout } = await runWarm(['explain', 'main.orders', '--json', '--profile', ...catalog], { folder })
  const { columns } = JSON.parse(stdout) as Explanation
  const decisions = columns.find(({ column }) => column === 'buyer')?.decisions ?? []
  expect(decisions.find(({ value }) => value?.startsWith('relationships'))).toMatchObject({
    value: "relationships to ref('stg_people') field ppl_id",
    reasons: [
      { evidence: 'rows' },
      {
        rule: 'test.joined',
        evidence: 'project',
        text: 'the project joins on it at models/marts/buyers.sql:5',
      },
    ],
  })
})

test('answers that somebody brought are read with the joins, too', async () => {
  const answers = join(folder, 'answers.json')
  const statements = await runWarm(['profile', 'main.*', '--print-sql', ...catalog], { folder })
  const instance = await DuckDBInstance.create(database, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  const rows: unknown[] = []
  let sql = statements.stdout
  while (sql !== '') {
    for (const statement of sql.split(/;\n+/).filter(Boolean))
      rows.push(...(await connection.runAndReadAll(statement)).getRowObjectsJson())
    writeFileSync(answers, JSON.stringify(rows))
    sql = (await runWarm(['profile', 'main.*', '--print-sql', '--from', answers, ...catalog], { folder }))
      .stdout
  }
  connection.closeSync()
  instance.closeSync()
  const found = (await suggested(['--profile-from', answers])).find(({ id }) => id === ID)
  expect(found?.why).toBe('join in project, 60 distinct values, joined at models/marts/buyers.sql:5')
})
