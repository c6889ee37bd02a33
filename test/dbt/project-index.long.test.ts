import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { diskTree, readManifest, readProject } from '@stagecraft/dbt'
import { expect, onTestFinished } from 'vitest'
import { runDbt } from './dbt.ts'
import { testWithDbt } from './with-dbt.ts'

const FILES: Readonly<Record<string, string>> = {
  'dbt_project.yml': `name: shop
profile: shop
model-paths: [models, more]
vars: { raw_schema: raw_top, shop: { raw_schema: raw_shop, suffix: _v1 } }
`,
  'profiles.yml': `shop:
  target: dev
  outputs:
    dev: { type: duckdb, path: shop.duckdb, schema: dbt_dev }
`,
  'models/a/sources.yml': `version: 2
sources:
  - name: shop
    database: "{{ env_var('STAGECRAFT_RAW_DATABASE', 'lake') }}"
    schema: "{{ var('raw_schema') }}"
    tables:
      - name: orders
        identifier: "orders{{ var('suffix') }}"
      - name: lines
  - name: crm
    schema: "{% if target.name == 'dev' %}crm_{{ target.schema }}{% else %}crm{% endif %}"
    tables: [{ name: accounts }]
  - name: plain
    tables:
      - name: things
`,
  'models/a/versions.yml': `models:
  - name: customers
    latest_version: 2
    versions: [{ v: 1, defined_in: customers_old }, { v: 2 }]
`,
  'models/a/stg_orders.sql': `{{ config(materialized='view', alias='o') }}
{# {{ ref('not_this') }} #} select * from {{ source( "shop" , 'orders') }} -- {{ source('shop', 'lines') }}`,
  'models/a/customers_old.sql': 'select 1 as id',
  'models/a/customers_v2.sql': "select * from {{ ref('customers', v=1) }}",
  'more/by_macro.sql':
    "select * from {{ staged('lines') }} union all select * from {{ shop.crm_accounts() }}",
  'more/with_blocks.sql': `{% set relations = [ref('stg_orders'), ref('shop', 'rates')] %}
{% raw %}{{ ref('raw') }}{% endraw %}
{% for relation in relations %} select '{{ "{{ ref('quoted') }}" }}' from {{ relation }} {% if not loop.last %}union all{% endif %} {% endfor %}`,
  'more/latest.sql': "select * from {{ ref('customers') }}",
  'macros/staged.sql': `{% macro staged(table) %}{{ inner() }}{% endmacro %}
{% macro inner() -%} {{ source('shop', 'lines') }} {%- endmacro %}
{% macro crm_accounts() %}{{ return(source('crm', 'accounts')) }}{% endmacro %}
{% macro never_called() %}{{ ref('nowhere') }}{% endmacro %}`,
  'seeds/rates.csv': 'a,b\n1,2\n',
  'snapshots/s.sql': `{% snapshot orders_snapshot %}{{ config(target_schema='s', unique_key='id', strategy='check', check_cols='all') }}
select * from {{ source('plain', 'things') }}{% endsnapshot %}`,
}

interface Node {
  readonly name: string
  readonly version?: number | null
  readonly resource_type: string
  readonly depends_on: { readonly nodes?: readonly string[] }
}

interface Source {
  readonly source_name: string
  readonly name: string
  readonly identifier: string
  readonly schema: string
  readonly database: string
}

testWithDbt(
  'a project is read without dbt as it is by',
  'dbt-1',
  async (dbt) => {
    const root = mkdtempSync(join(tmpdir(), 'stagecraft-index-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    for (const [path, content] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    const { code, output } = await runDbt(dbt, root, ['parse'])
    expect(code, output).toBe(0)
    const manifest = JSON.parse(readFileSync(join(root, 'target/manifest.json'), 'utf8')) as {
      readonly nodes: Record<string, Node>
      readonly sources: Record<string, Source>
    }
    const index = await readProject(diskTree(root), {
      context: { environment: {}, target: { name: 'dev', schema: 'dbt_dev' } },
    })

    const byDbt = Object.values(manifest.nodes).map(({ depends_on, name, resource_type, version }) => {
      const [kind, reads] = [resource_type, (depends_on.nodes ?? []).toSorted()]
      return {
        kind,
        name,
        version: version === null || version === undefined ? undefined : String(version),
        reads,
      }
    })
    const found = index.models.map(({ kind, models, name, reads, version }) => {
      const tables = reads.map(({ source, table }) => `source.shop.${source}.${table}`)
      const others = models.map(({ model, version }) => nodeOf(model, version))
      return { kind, name, version, reads: [...tables, ...others].toSorted() }
    })
    const key = ({ name, version }: { name: string; version: string | undefined }): string =>
      `${name} ${version}`
    const sorted = <Item extends { name: string; version: string | undefined }>(items: readonly Item[]) =>
      items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    expect(sorted(found)).toEqual(sorted(byDbt))

    const places = index.sources.flatMap(({ database, name, schema, tables }) =>
      tables.map((table) => [name, table.name, database ?? 'shop', schema, table.identifier]),
    )
    const theirs = Object.values(manifest.sources).map((source) => [
      source.source_name,
      source.name,
      source.database,
      source.schema,
      source.identifier,
    ])
    expect(byText(places)).toEqual(byText(theirs))

    expect(await readManifest(diskTree(root), index)).toMatchObject({ stale: [] })
    writeFileSync(join(root, 'more/latest.sql'), 'select 1')
    const changed = await readManifest(diskTree(root), await readProject(diskTree(root)))
    expect(changed?.stale).toEqual([{ path: 'more/latest.sql', reason: 'changed' }])
  },
  120_000,
)

/** dbt takes the latest version where none is named. */
function nodeOf(model: string, version: string | undefined): string {
  if (model === 'rates') return 'seed.shop.rates'
  return model === 'customers' ? `model.shop.customers.v${version ?? 2}` : `model.shop.${model}`
}

function byText(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted((a, b) => (a < b ? -1 : 1))
}
