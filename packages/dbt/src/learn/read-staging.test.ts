import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { readProject } from '../project/read-project.ts'
import { memoryTree } from '../tree/memory-tree.ts'
import { readStagingModels, type StagingModels } from './read-staging.ts'

async function read(sql: string): Promise<StagingModels> {
  const tree = memoryTree({ 'dbt_project.yml': 'name: app\n', 'models/stg_a.sql': sql })
  return readStagingModels({ tree, index: await readProject(tree) }, { syntax: DIALECTS.snowflake })
}

async function pairsOf(list: string, final = 'select * from renamed'): Promise<readonly string[]> {
  const sql = `with source as (select * from {{ source('app', 'a') }}),\nrenamed as (\nselect\n${list}\nfrom source\n)\n${final}\n`
  const [model] = (await read(sql)).models
  return (model?.pairs ?? []).map(
    ({ castTo, name, raw }) => `${raw} ${name}${castTo === undefined ? '' : ` ${castTo}`}`,
  )
}

test('each column is paired with the raw one that it reads', async () => {
  expect(
    await pairsOf(`
      id AS user_id -- the key
      , source."First Name" first_name
      , lower(trim(email)) as email
      , cast(created as timestamp) as created_at
      , active::boolean is_active
      , {{ to_utc('seen') }} as seen_at
      , CAST(plan AS {{ dbt.type_string() }}) AS plan_name
      , case when kind = 'x' then true else false end as is_x`),
  ).toEqual([
    'id user_id',
    'First Name first_name',
    'email email',
    'created created_at timestamp',
    'active is_active boolean',
    'seen seen_at',
    'plan plan_name string',
    'kind is_x',
  ])
})

test('what is computed of several columns, of none or of a path in a value is no pair', async () => {
  expect(await pairsOf('id, a || b as c, 1 as one, payload:id as payload_id, current_date as today')).toEqual(
    ['id id'],
  )
})

test('a column whose value changes teaches no name for the stored value', async () => {
  const list = `id, total_cents / 100.0 as total_amount, (fee_cents::numeric * 0.01)::numeric(16, 2) as fee,
    timestamp_millis(created) as created_at, to_timestamp(seen / 1000) as seen_at, net_cents as net_amount`
  expect(await pairsOf(list)).toEqual(['id id', 'net_cents net_amount'])
})

test('of two columns that read the same one, the plain one names it; a later list names again', async () => {
  expect(await pairsOf('upper(code) as code_upper,\ncode as country_code,\nnm as name')).toEqual([
    'code country_code',
    'nm name',
  ])
  expect(await pairsOf('nm as name,\nb', 'select name as user_name, b from renamed')).toEqual([
    'nm user_name',
    'b b',
  ])
})

test.each([
  ['the list that renames', ''],
  ['the list that casts', ', cast(spent as number) as spent'],
])('columns that one list renames and a later one casts are those of the table, by %s', async (_, more) => {
  const sql = `with source as (select * from {{ source('app', 'a') }}),
renamed as (select nm as campaign_name, seen::date as seen_on, id, budget from source),
casted as (select cast(id as varchar) as id, cast(budget as number) as budget, campaign_name, seen_on${more} from renamed),
filled as (select campaign_name, seen_on, budget, coalesce(id, '0') as campaign_id from casted)
select * from filled`
  const [model] = (await read(sql)).models
  const pairs = new Map(model?.pairs.map(({ castTo, name, raw }) => [raw, [name, castTo]]))
  pairs.delete('spent')
  expect(Object.fromEntries(pairs)).toEqual({
    nm: ['campaign_name', undefined],
    seen: ['seen_on', 'date'],
    id: ['campaign_id', 'varchar'],
    budget: ['budget', 'number'],
  })
})

test('a model that reads another model, or two sources, is not learned from', async () => {
  const both = "select a.x as y from {{ source('app', 'a') }} a join {{ source('app', 'b') }} b using (id)"
  expect((await read(both)).models).toEqual([])
  expect((await read("select x as y from {{ ref('b') }}")).models).toEqual([])
})
