import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_CODES, type Explanation, explanationSchema, WARNINGS } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { runWarm, temporaryFolder } from './run-cli.ts'

describe('explain', () => {
  test('prints meaning, cause and remedy of a code, in any case', async () => {
    const { cause, remedy } = WARNING_EXPLANATIONS.KEYS_NOT_TESTED
    expect(await runWarm(['explain', 'keys_not_tested'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `KEYS_NOT_TESTED: ${WARNINGS.KEYS_NOT_TESTED}\n\nCause: ${cause}\n\nRemedy: ${remedy}\n`,
    })
  })

  test('lists all codes', async () => {
    const { stdout } = await runWarm(['explain'])
    expect(stdout.match(/[A-Z]+(?:_[A-Z]+)+|\bFORBIDDEN|\bUNAUTHORIZED/g)?.toSorted()).toEqual(
      [...ERROR_CODES, ...Object.keys(WARNINGS)].toSorted(),
    )
  })

  test('answers as JSON', async () => {
    const { stdout } = await runWarm(['explain', 'FORBIDDEN', '--json'])
    expect(JSON.parse(stdout)).toEqual({ code: 'FORBIDDEN', ...ERROR_EXPLANATIONS.FORBIDDEN })
  })

  test.each([
    ['KEYS_NOT_TESTD', 'did you mean KEYS_NOT_TESTED? stagecraft explain lists all codes'],
    ['KEYS_NOT', 'did you mean KEYS_NOT_TESTED? stagecraft explain lists all codes'],
    ['sc203', 'stagecraft rules SC203 explains a rule of lint'],
  ])('says what %s may have meant, and reads nothing for it', async (what, suggestion) => {
    expect(await runWarm(['explain', what, '--catalog', 'postgres://nowhere.invalid/x'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error[INVALID_REQUEST] what: expected the code of a warning or an error, got "${what}"; ${suggestion}\n`,
    })
  })
})

const catalog = ['--catalog', repositoryPath('test/cli/columns.yml')]

async function explainJson(what: string, more: readonly string[] = catalog, folder?: string) {
  const { code, stderr, stdout } = await runWarm(
    ['explain', what, '--json', ...more],
    folder ? { folder } : {},
  )
  expect({ code, stderr: stderr.replace(/^.*note.*\n/gm, '') }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Explanation
}

describe('explain a table', () => {
  test.each(['stg_shop__customers', 'shop.customers', 'SHOP.Customers', 'customers'])(
    'is found by %s',
    async (what) => {
      const explanation = await explainJson(what)
      expect(explanationSchema.parse(explanation)).toMatchObject({
        type: 'staging',
        source: 'shop.customers',
        model: 'stg_shop__customers',
      })
      expect(explanation.columns.map(({ column, name }) => [column, name])).toEqual([
        ['id', 'customer_id'],
        ['emailAddress', 'email_address'],
        ['createdAt', 'created_at'],
      ])
    },
  )

  test.each(['stg_shop__customers.customer_id', 'shop.customers.id', 'stg_shop__customers.ID'])(
    'a column is found by %s',
    async (what) => {
      const { columns, decisions } = await explainJson(what)
      expect(decisions).toEqual([])
      expect(columns).toMatchObject([{ column: 'id', name: 'customer_id' }])
    },
  )

  test('references lead to the models of the other tables', async () => {
    const { columns } = await explainJson('shop.orders.customerid')
    expect(columns[0]?.decisions.filter(({ about }) => about === 'test')).toMatchObject([
      {
        value: "relationships to ref('stg_shop__customers') field customer_id",
        reasons: [{ rule: 'test.relationships', evidence: 'constraint' }],
      },
    ])
  })

  test('a source is all of its tables', async () => {
    const { stdout } = await runWarm(['explain', 'shop', ...catalog])
    expect(stdout).toContain('shop, the dbt source of 2 tables')
    expect(stdout).toMatch(/shop\.customers → stg_shop__customers\n[^]*shop\.orders → stg_shop__orders\n/)
  })

  test('prints rule, evidence and keys of a column', async () => {
    const { stdout } = await runWarm(['explain', 'stg_shop__customers.customer_id', ...catalog])
    expect(stdout).toBe(`customer_id, from id bigint of stg_shop__customers
name        customer_id
            "id" is in snake case already; naming.columns is snake, by the preset dbt-labs [name.stored, name]
            the table's own id is named after its entity, customer; naming.ids is true, by the preset dbt-labs [name.ids, name]
            change: sources.shop.tables.customers.columns.id.name, naming.columns, sources.shop.tables.customers.entity, naming.ids
value       id
            bigint needs no conversion; options.casts is safe, by the preset dbt-labs [value.asIs, type]
            change: sources.shop.tables.customers.columns.id.as, options.casts
group       ids
            it is part of a key of this table or of another; options.columnOrder is groups, by the preset dbt-labs [group.key, constraint]
            change: sources.shop.tables.customers.key, options.columnOrder
description Primary key.
            it is part of the key [description.key, constraint]
            change: sources.shop.tables.customers.columns.id.description, options.addDocs
test        unique
            the table declares the primary key (id) [test.unique, constraint]
            change: sources.shop.tables.customers.key, options.addTests
test        not_null
            the table declares the primary key (id) [test.not_null, constraint]
            change: sources.shop.tables.customers.key, options.addTests
`)
  })

  test.each([
    ['stg_shop__custmers', 'did you mean stg_shop__customers?'],
    ['stg_shop__customers.customer_ib', 'did you mean stg_shop__customers.customer_id?'],
    [
      'nothing.like.this',
      'no model, column, source or code is called "nothing.like.this" in the catalog; stagecraft',
    ],
  ])('does not know %s', async (what, suggestion) => {
    const { code, stderr } = await runWarm(['explain', what, ...catalog])
    expect(code).toBe(2)
    expect(stderr).toContain(suggestion)
  })
})

describe('explain in a dbt project', () => {
  function project(): string {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'models/raw'), { recursive: true })
    writeFileSync(join(folder, 'dbt_project.yml'), 'name: house\n')
    writeFileSync(
      join(folder, 'models/raw/_src.yml'),
      'sources:\n  - name: webshop\n    schema: shop\n    tables:\n      - name: orders\n',
    )
    writeFileSync(
      join(folder, 'models/raw/orders_clean.sql'),
      "select * from {{ source('webshop', 'orders') }}\n",
    )
    return folder
  }

  test('says what the project decided', async () => {
    const { decisions, model } = await explainJson('shop.orders', catalog, project())
    expect(model).toBe('orders_clean')
    const byProject = decisions.filter(({ reasons }) =>
      reasons.some(({ evidence }) => evidence === 'project'),
    )
    expect(byProject.map(({ about, reasons, value }) => [about, value, reasons[0]?.text])).toEqual([
      ['model', 'orders_clean', 'models/raw/orders_clean.sql is already the model of the table'],
      [
        'path',
        'models/raw/orders_clean.sql',
        'models/raw/orders_clean.sql is already the model of the table',
      ],
      ['source', 'webshop', 'models/raw/_src.yml declares it so'],
    ])
  })

  test('explains from the lock without a warehouse, as it was generated', async () => {
    const folder = project()
    const applied = await runWarm(['apply', 'shop.customers', ...catalog], { folder })
    expect(applied.code).toBe(0)
    const online = await explainJson('stg_webshop__customers', catalog, folder)
    expect(await explainJson('stg_webshop__customers', ['--offline'], folder)).toEqual(online)
    expect(online.decisions.find(({ about }) => about === 'source')?.reasons[0]?.evidence).toBe('project')
    const inside = join(folder, 'models/raw')
    expect(await explainJson('customers', ['--offline'], inside)).toEqual(online)
  })

  test('names the columns of a parent as a person has written it', async () => {
    const folder = project()
    await runWarm(['apply', 'shop.*', ...catalog], { folder })
    const tests = async (): Promise<readonly unknown[]> => {
      const { columns } = await explainJson('shop.orders.customerid', catalog, folder)
      return columns.flatMap(({ decisions }) =>
        decisions
          .filter(({ about }) => about === 'test')
          .map(({ reasons, value }) => [value, reasons[0]?.text]),
      )
    }
    const [generated] = await tests()
    expect(generated).toEqual([
      "relationships to ref('stg_webshop__customers') field customer_id",
      'the table has this foreign key',
    ])
    const parent = globSync('models/**/stg_webshop__customers.sql', { cwd: folder })[0] ?? ''
    const sql = readFileSync(join(folder, parent), 'utf8')
    writeFileSync(join(folder, parent), sql.replace(/\bcustomer_id\b/g, 'client_no'))
    expect(await tests()).toEqual([
      ["relationships to ref('stg_webshop__customers') field client_no", 'the table has this foreign key'],
    ])
    writeFileSync(join(folder, parent), sql.replace(/^.*\bcustomer_id\b.*$/m, ''))
    expect(await tests()).toEqual([
      [undefined, 'stg_webshop__customers does not select customer_id, so it is not tested'],
    ])
  })

  test('does not take a model that a person wrote for a raw table, and says where to look', async () => {
    const folder = project()
    const models = {
      fct_orders: "select * from {{ ref('orders_clean') }}\n",
      fct_raw: "select * from {{ source('webshop', 'orders') }} where id > 0\n",
    }
    mkdirSync(join(folder, 'models/marts'))
    for (const [name, sql] of Object.entries(models))
      writeFileSync(join(folder, `models/marts/${name}.sql`), sql)
    const columns = [{ name: 'id', type: 'integer' }]
    const built = ['orders_clean', ...Object.keys(models)].map((name) => ({ schema: 'prod', name, columns }))
    const tables = [{ schema: 'shop', name: 'orders', columns }, ...built]
    writeFileSync(join(folder, 'built.yml'), JSON.stringify({ dialect: 'postgres', tables }))
    const own = ['--catalog', 'built.yml']
    for (const [what, suggestion] of [
      ['fct_orders', 'stagecraft lineage fct_orders shows what it reads'],
      ['fct_orders.id', 'stagecraft lineage fct_orders shows what it reads'],
      ['fct_raw', 'stagecraft explain webshop.orders explains the table that it reads'],
    ] as const) {
      const { code, stderr } = await runWarm(['explain', what, ...own], { folder })
      expect(code).toBe(2)
      expect(stderr).toContain('.sql is written by a person')
      expect(stderr).toContain(suggestion)
    }
    expect((await runWarm(['lineage', 'fct_orders'], { folder })).stdout).toContain('orders_clean')
    expect(await runWarm(['explain', 'webshop.orders', ...own], { folder })).toMatchObject({ code: 0 })
  })

  test('says how to go on without a catalog and without a lock', async () => {
    const folder = project()
    const without = await runWarm(['explain', 'orders_clean', '--offline'], { folder })
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('stagecraft apply writes it') })
    const bare = await runWarm(['explain', 'orders_clean'], { folder })
    expect(bare.code).toBe(2)
    expect(bare.stderr).toContain('but dbt_project.yml names no profile')
  })
})

test('explanations are sentences that name no person', () => {
  const texts = Object.values({ ...ERROR_EXPLANATIONS, ...WARNING_EXPLANATIONS }).flatMap(
    ({ cause, remedy }) => [cause, remedy],
  )
  for (const text of texts) expect(text).toMatch(/^[A-Z`].*\.$/)
})
