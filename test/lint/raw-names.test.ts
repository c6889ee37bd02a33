// Names of raw columns as the warehouse looks them up: quotes, case, and fixes that write them.
import { applyFixes, chooseRules, lint, readLintProject } from '@stagecraft/analysis'
import { memoryTree } from '@stagecraft/dbt'
import type { DialectName } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'

const MODEL = 'models/staging/stg_people.sql'

interface Given {
  readonly dialect?: DialectName
  readonly columns: readonly string[]
  readonly sql: string
  readonly yaml?: string
  readonly others?: Readonly<Record<string, string>>
}

async function mend({ columns, dialect = 'postgres', others = {}, sql, yaml = '' }: Given): Promise<{
  readonly found: readonly string[]
  readonly sql: string
  readonly yaml: string
}> {
  const sources = 'sources:\n  - name: shop\n    tables: [{ name: people }]\n'
  const files: Record<string, string> = {
    'dbt_project.yml': 'name: shop\n',
    'models/sources.yml': sources,
    'models/models.yml': yaml,
    [MODEL]: sql.replace('shop.people', "{{ source('shop', 'people') }}"),
    ...others,
  }
  const tables = [
    { schema: 'shop', name: 'people', columns: columns.map((name) => ({ name, type: 'text' })) },
  ]
  const project = await readLintProject(memoryTree(files), { dialect, structure: true, tables })
  const rules = chooseRules({ select: ['SC204', 'SC301', 'SC304'] })
  const { findings } = lint(project, { rules })
  const fixed = applyFixes(project, findings, { unsafe: true })
  const textOf = (path: string): string =>
    fixed.files.find((file) => file.path === path)?.after ?? files[path] ?? ''
  return {
    found: findings.map(({ message, rule }) => `${rule} ${message}`),
    sql: textOf(MODEL).replace("{{ source('shop', 'people') }}", 'shop.people'),
    yaml: textOf('models/models.yml'),
  }
}

const mended = async (given: Given): Promise<string> => (await mend(given)).sql

describe('a column that is only found in quotes', () => {
  const columns = ['ID', 'FullName', 'city']

  test('is not found without them, and the fix writes them and keeps the name of the model', async () => {
    const { found, sql } = await mend({ columns, sql: 'select id, p.FullName, city from shop.people as p' })
    expect(found).toEqual(['SC204 shop.people has no column id', 'SC204 shop.people has no column FullName'])
    expect(sql).toBe('select "ID" as id, p."FullName" as FullName, city from shop.people as p')
  })

  test.each([
    ['select fulname from shop.people', 'select "FullName" as fulname from shop.people'],
    ['select fulname as name from shop.people', 'select "FullName" as name from shop.people'],
    ['select upper(id) as x from shop.people', 'select upper("ID") as x from shop.people'],
    ['select coalesce(city, id) x from shop.people', 'select coalesce(city, "ID") x from shop.people'],
    ['select "Id" from shop.people', 'select "ID" as "Id" from shop.people'],
    ['select id::int as n from shop.people', 'select "ID"::int as n from shop.people'],
    [
      'select city from shop.people where id = 1 order by id',
      'select city from shop.people where "ID" = 1 order by "ID"',
    ],
    [
      'select city, count(*) as n from shop.people group by city, id',
      'select city, count(*) as n from shop.people group by city, "ID"',
    ],
    [
      'with a as (select id, city from shop.people) select id from a where id > 1',
      'with a as (select "ID" as id, city from shop.people) select id from a where id > 1',
    ],
  ])('%s', async (sql, expected) => {
    expect(await mended({ columns, sql })).toBe(expected)
  })

  test('is left alone where the name of the output would change with it', async () => {
    expect(await mended({ columns, sql: 'select id::int from shop.people' })).toBe(
      'select id::int from shop.people',
    )
  })

  test.each<[DialectName, readonly string[], string]>([
    ['postgres', columns, 'select "ID", "FullName", CITY from shop.people'],
    ['postgres', columns, "select {{ adapter.quote('ID') }} as id from shop.people"],
    ['mysql', columns, 'select id, fullname from shop.people'],
    ['redshift', columns, 'select id, "fullname" from shop.people'],
    ['snowflake', ['ID', 'CITY'], 'select id, "CITY" from shop.people'],
    ['snowflake', ['id', 'city'], 'select id, city from shop.people'],
  ])('%s finds those of %j in %s', async (dialect, own, sql) => {
    expect((await mend({ dialect, columns: own, sql })).found).toEqual([])
  })

  test('Snowflake wants quotes for what is not in upper case', async () => {
    const given = {
      dialect: 'snowflake',
      columns: ['ID', 'city'],
      sql: 'select city from shop.people',
    } as const
    expect(await mended(given)).toBe('select "city" as city from shop.people')
  })
})

describe('a slip', () => {
  const columns = ['id', 'status']
  const sql = 'select id, stauts from shop.people'

  test('goes where nobody reads it', async () => {
    expect(await mended({ columns, sql })).toBe('select id, status from shop.people')
  })

  test('stays the name of the output where a model or an entry says it', async () => {
    const kept = 'select id, status as stauts from shop.people'
    const yaml = 'models:\n  - name: stg_people\n    columns: [{ name: stauts }]\n'
    expect(await mended({ columns, sql, yaml })).toBe(kept)
    const others = { 'models/marts/fct.sql': "select stauts from {{ ref('stg_people') }}" }
    expect(await mended({ columns, sql, others })).toBe(kept)
  })

  test('does not rename the entry that a person wrote', async () => {
    const yaml = 'models:\n  - name: stg_people\n    columns: [{ name: status, description: by hand }]\n'
    const after = await mended({ columns, sql, yaml })
    expect(after).toBe('select id, status from shop.people')
    expect((await mend({ columns, sql, yaml })).yaml).toBe(yaml)
  })
})

test('an entry with tests is not given a name that needs quotes', async () => {
  const yaml = 'models:\n  - name: stg_people\n    columns: [{ name: FulName, data_tests: [unique] }]\n'
  const after = await mend({ columns: ['FullName'], sql: 'select "FullName" from shop.people', yaml })
  expect(after.found).toHaveLength(1)
  expect(after.yaml).toBe(yaml)
})
