import { memoryTree } from '@stagecraft/dbt'
import { expect, test } from 'vitest'
import { readLintProject } from '../project/read-lint-project.ts'
import { sourceJoins } from './source-joins.ts'

const FILES = {
  'dbt_project.yml': 'name: shop\n',
  'models/sources.yml': `sources:
  - name: raw
    tables: [{name: orders}, {name: people}, {name: visits}]
`,
  'models/stg_orders.sql':
    "select id as order_id, cast(buyer as bigint) as buyer_id, lower(code) as code from {{ source('raw', 'orders') }}",
  'models/stg_people.sql':
    "with source as (select * from {{ source('raw', 'people') }})\nselect id, boss from source",
  'models/all_people.sql':
    "select id from {{ ref('stg_people') }} union all select id from {{ source('raw', 'visits') }}",
}

async function joinsOf(sql: string): Promise<readonly string[]> {
  const project = await readLintProject(memoryTree({ ...FILES, 'models/m.sql': sql }), { structure: true })
  return sourceJoins(project, project.structure).map(
    ({ left, line, path, right }) =>
      `${path}:${line} ${left.table}.${left.column} = ${right.table}.${right.column}`,
  )
}

test.each([
  [
    'on, through models that rename and cast',
    `with orders as (select * from {{ ref('stg_orders') }})
select 1 as a
from orders as o
left join {{ ref('stg_people') }} p
    on o.buyer_id = p.id and p.id > 3`,
    ['models/m.sql:5 orders.buyer = people.id'],
  ],
  [
    'several equalities, in parentheses and with a cast',
    `select 1 as a from {{ source('raw', 'orders') }} o
join {{ source('raw', 'visits') }} v on (o.a = v.a::text) and (v.b = o.b)`,
    ['models/m.sql:2 orders.a = visits.a', 'models/m.sql:2 visits.b = orders.b'],
  ],
  [
    'using',
    `select 1 as a from {{ source('raw', 'orders') }}
join {{ source('raw', 'visits') }} using (visit_id, day)`,
    ['models/m.sql:2 orders.visit_id = visits.visit_id', 'models/m.sql:2 orders.day = visits.day'],
  ],
  [
    'where, and a condition of an inner query',
    `select 1 as a from {{ source('raw', 'orders') }} o, {{ source('raw', 'people') }} p
where o.buyer = p.id
  and exists (select 1 from {{ source('raw', 'visits') }} v where v.seen_by = p.id)`,
    ['models/m.sql:2 orders.buyer = people.id', 'models/m.sql:3 visits.seen_by = people.id'],
  ],
  [
    'a table and itself',
    `select 1 as a from {{ ref('stg_people') }} a join {{ ref('stg_people') }} b on a.boss = b.id`,
    ['models/m.sql:1 people.boss = people.id'],
  ],
])('finds %s', async (_, sql, joins) => {
  expect(await joinsOf(sql)).toEqual(joins)
})

test.each([
  [
    'one branch of several',
    "select 1 as a from {{ source('raw', 'orders') }} o join {{ source('raw', 'people') }} p on o.a = p.a or o.b = p.b",
  ],
  [
    'an expression',
    "select 1 as a from {{ ref('stg_orders') }} o join {{ source('raw', 'people') }} p on o.code = p.code",
  ],
  [
    'an inequality',
    "select 1 as a from {{ source('raw', 'orders') }} o join {{ source('raw', 'people') }} p on o.a < p.a",
  ],
  [
    'a union of two tables',
    "select 1 as a from {{ source('raw', 'orders') }} o join {{ ref('all_people') }} p on o.buyer = p.id",
  ],
  ['columns of one row', "select 1 as a from {{ source('raw', 'orders') }} o where o.buyer = o.payer"],
  ['columns of the only table', "select 1 as a from {{ source('raw', 'orders') }} where buyer = payer"],
  [
    'a table that no source declares',
    "select 1 as a from {{ source('raw', 'orders') }} o join elsewhere e on o.buyer = e.id",
  ],
])('passes over %s', async (_, sql) => {
  expect(await joinsOf(sql)).toEqual([])
})
