import { FOLDERS, GROUPS, MACROS, MODELS, READERS, SEEDS, SOURCES, type Fact } from './facts.ts'

const yaml = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes the market as a dbt project. */
export function marketFiles(): Readonly<Record<string, string>> {
  return {
    'dbt_project.yml': projectYaml(),
    'models/sources.yml': sourcesYaml(),
    'models/exposures.yml': yaml({
      exposures: READERS.filter(({ kind }) => kind === 'exposure').map(exposureOf),
    }),
    'models/groups.yml': yaml({
      groups: Object.entries(GROUPS).map(([name, email]) => ({ name, owner: { email } })),
    }),
    ...Object.fromEntries(MODELS.map((model) => [`models/${model.folder}/${model.name}.sql`, sqlOf(model)])),
    'models/properties.yml': yaml({ version: 2, models: MODELS.map(propertiesOf) }),
    ...Object.fromEntries(SEEDS.map((seed) => [`seeds/${seed}.csv`, 'code,name\nde,Germany\n'])),
    'snapshots/users_history.sql': `{% snapshot users_history %}
{{ config(unique_key='user_id', strategy='check', check_cols='all', target_schema='history') }}
select * from {{ ref('stg_app__users') }}
{% endsnapshot %}
`,
    ...Object.fromEntries(
      READERS.filter(({ kind }) => kind === 'test').map(({ name, reads, severity }) => [
        `tests/${name}.sql`,
        `${severity === undefined ? '' : `{{ config(severity='${severity}') }}\n`}select * from {{ ref('${reads[0]}') }} where paid_amount < 0\n`,
      ]),
    ),
    ...Object.fromEntries(
      MACROS.map(({ body, name, parameters }) => [
        `macros/${name}.sql`,
        `{% macro ${name}(${parameters}) %}${body}{% endmacro %}\n`,
      ]),
    ),
    'macros/macros.yml': yaml({
      macros: [{ name: 'legacy_format', description: 'Formats a day as before.' }],
    }),
  }
}

function projectYaml(): string {
  const { intermediate, marts, staging } = FOLDERS
  const own = (one: (typeof FOLDERS)[string] | undefined): object => ({ '+materialized': one?.materialized })
  return yaml({
    name: 'market',
    version: '1.0.0',
    models: {
      market: {
        staging: own(staging),
        intermediate: own(intermediate),
        marts: {
          ...own(marts),
          finance: {
            '+tags': FOLDERS['marts/finance']?.tags,
            '+schema': FOLDERS['marts/finance']?.schema,
          },
        },
      },
    },
  })
}

function sourcesYaml(): string {
  const names = [...new Set(SOURCES.map(({ source }) => source))]
  const columnsOf = (tests: Readonly<Record<string, readonly unknown[]>> = {}): object[] =>
    Object.entries(tests).map(([name, list]) => ({ name, data_tests: list }))
  return yaml({
    version: 2,
    sources: names.map((name) => ({
      name,
      schema: `raw_${name}`,
      tables: SOURCES.filter(({ source }) => source === name).map(
        ({ description, hasFreshness, table, tests }) => ({
          name: table,
          ...(description !== undefined && { description }),
          ...(hasFreshness && {
            config: {
              loaded_at_field: 'loaded_at',
              freshness: { warn_after: { count: 12, period: 'hour' } },
            },
          }),
          ...(tests && { columns: columnsOf(tests) }),
        }),
      ),
    })),
  })
}

function exposureOf({ name, owner = '', reads }: (typeof READERS)[number]): object {
  return {
    name,
    type: 'dashboard',
    owner: { name: owner, email: 'someone@market.example' },
    depends_on: reads.map((one) => `ref('${one}')`),
  }
}

function propertiesOf({
  access,
  described = {},
  description,
  group,
  hasContract,
  name,
  owner,
  tags,
  tests = {},
}: Fact): object {
  const config = {
    ...(tags && { tags }),
    ...(group !== undefined && { group }),
    ...(access !== undefined && { access }),
    ...(owner !== undefined && { meta: { owner } }),
    ...(hasContract && { contract: { enforced: true } }),
  }
  const columns = [...new Set([...Object.keys(described), ...Object.keys(tests)])].map((column) => ({
    name: column,
    ...(described[column] !== undefined && { description: described[column] }),
    ...(tests[column] && { data_tests: tests[column] }),
  }))
  return {
    name,
    ...(description !== undefined && { description }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(columns.length > 0 && { columns }),
  }
}

function sqlOf({ columns, isDisabled, macro, materialized, reads, uniqueKey }: Fact): string {
  const config = [
    ...(materialized === undefined ? [] : [`materialized='${materialized}'`]),
    ...(isDisabled ? ['enabled=false'] : []),
    ...(uniqueKey === undefined ? [] : [`unique_key='${uniqueKey}'`]),
  ]
  const list = Object.entries(columns).map(([name, from]) => {
    const value = macro !== undefined && name.endsWith('amount') ? `{{ ${macro}('${from}') }}` : from
    return value === name ? `    ${name}` : `    ${value} as ${name}`
  })
  const tables = reads.map((one, index) => {
    const [source = '', table] = one.split('.')
    const read = table === undefined ? `ref('${source}')` : `source('${source}', '${table}')`
    return `${index === 0 ? 'from' : 'cross join'} {{ ${read} }} as t${index + 1}`
  })
  const head = config.length > 0 ? `{{ config(${config.join(', ')}) }}\n` : ''
  return `${head}select\n${list.join(',\n')}\n${tables.join('\n')}\n`
}
