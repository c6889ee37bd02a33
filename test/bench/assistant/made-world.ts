import { type ProjectView, projectView } from '@stagecraft/assistant'
import { parseConfig } from '@stagecraft/core'
import { memoryTree } from '@stagecraft/dbt'
import type { Table } from '@stagecraft/spec'
import { readFilesAsProject } from '../../lint/lint-project.ts'

/** A relation, as the maker of the project knows it. */
export interface Relation {
  readonly id: string
  readonly name: string
  readonly kind: 'model' | 'source' | 'exposure'
  readonly file: string
  readonly parents: readonly string[]
  /** Columns with the columns that each is made of, as ids; undefined where they are not known. */
  readonly columns: ReadonlyMap<string, readonly string[]> | undefined
  /** `order_id.unique`. */
  readonly tests: readonly string[]
  readonly missingTests: readonly string[]
  readonly isDescribed: boolean
  readonly materialized: string | undefined
}

/** A project whose answers are known from its making, without the code that answers. */
export interface World {
  readonly name: string
  readonly view: ProjectView
  readonly files: Readonly<Record<string, string>>
  readonly relations: readonly Relation[]
  /** `source.shop.orders:note removed`. */
  readonly drifts: readonly string[]
  readonly settings: readonly string[]
  /** Words, and the one column that they mean. */
  readonly words: ReadonlyMap<string, string>
}

const COLUMNS = ['amount', 'status', 'created_at'] as const

interface Making {
  readonly source: string
  readonly tables: readonly string[]
  /** Tables that nothing reads. */
  readonly unread: readonly string[]
}

const MAKINGS: readonly Making[] = [
  {
    source: 'billing',
    tables: ['invoices', 'payments', 'refunds', 'customers', 'contracts'],
    unread: ['audit_trail', 'import_log'],
  },
  {
    source: 'clinic',
    tables: ['patients', 'visits', 'doctors', 'prescriptions', 'rooms', 'claims', 'insurers', 'wards'],
    unread: ['legacy_visits'],
  },
]

/** A subject that the questions of no other list are about. */
const RAILWAY: Making = {
  source: 'railway',
  tables: ['trains', 'stations', 'tickets', 'delays', 'crews', 'depots', 'seats'],
  unread: ['signal_dump', 'old_timetables'],
}

/** Makes a railway, as the other projects are made. */
export async function makeRailway(): Promise<readonly World[]> {
  return [await makeWorld(RAILWAY)]
}

/** Makes the projects, one after the other: staging, pairs of it joined, marts over those, an exposure, a dead model. */
export function makeWorlds(): Promise<readonly World[]> {
  return Promise.all(MAKINGS.map(makeWorld))
}

async function makeWorld(making: Making): Promise<World> {
  const { source, tables, unread } = making
  const staging = tables.map((table, index) => stagingOf(making, table, index))
  const joined = staging.slice(1).map((right, index) => joinedOf(staging[index], right, index))
  const marts = joined.filter((_, index) => index % 2 === 0).map((one, index) => martOf(source, one, index))
  const dead = relation({
    kind: 'model',
    name: `old_${source}_totals`,
    file: `models/marts/old_${source}_totals.sql`,
    parents: [idOf(staging[0])],
    columns: [['amount', [`${idOf(staging[0])}:amount`]]],
  })
  const sources = [...tables, ...unread].map((table) =>
    relation({
      kind: 'source',
      name: `${source}.${table}`,
      file: 'models/sources.yml',
      columns: ['id', ...COLUMNS, 'added_later'].map((name) => [name, []] as const),
      isDescribed: table === tables[0],
    }),
  )
  const exposure = relation({
    kind: 'exposure',
    name: `${source}_report`,
    file: 'models/sources.yml',
    parents: [idOf(marts[0])],
  })
  const models = [...staging, ...joined, ...marts, dead]
  const files = filesOf(making, models, exposure)
  return {
    name: source,
    files,
    view: await openView(files),
    relations: [...sources, ...models, exposure],
    drifts: tables.flatMap((table) => [
      `source.${source}.${table}:added_later added`,
      `source.${source}.${table}:gone removed`,
    ]),
    settings: ['setting.preset', 'setting.naming.glossary.amt'],
    words: new Map([[`total of the ${source} report`, `${idOf(marts[0])}:${source}_report_total`]]),
  }
}

async function openView(files: Readonly<Record<string, string>>): Promise<ProjectView> {
  const own = Object.entries(files).filter(([path]) => !/^(?:raw|former)-tables\.json$/.test(path))
  return projectView(await readFilesAsProject(files), {
    read: (texts) => readFilesAsProject({ ...files, ...Object.fromEntries(texts) }),
    tree: memoryTree({ 'dbt_project.yml': 'name: shop\n', ...Object.fromEntries(own) }),
    config: parseConfig(files['stagecraft.yml'] ?? '', 'stagecraft.yml'),
    configText: files['stagecraft.yml'],
  })
}

interface RelationForm {
  readonly kind: Relation['kind']
  readonly name: string
  readonly file: string
  readonly parents?: readonly string[]
  readonly columns?: readonly (readonly [name: string, from: readonly string[]])[]
  readonly tests?: readonly string[]
  readonly missingTests?: readonly string[]
  readonly isDescribed?: boolean
  readonly materialized?: string
}

function relation({
  columns,
  isDescribed = false,
  materialized,
  missingTests = [],
  parents = [],
  tests = [],
  ...own
}: RelationForm): Relation {
  return {
    ...own,
    id: `${own.kind}.${own.name}`,
    columns: columns && new Map(columns),
    isDescribed,
    materialized,
    missingTests,
    parents,
    tests,
  }
}

function idOf(one: Relation | undefined): string {
  if (!one) throw new Error('the project has too few models')
  return one.id
}

function stagingOf({ source }: Making, table: string, index: number): Relation {
  const raw = `source.${source}.${table}`
  const key = `${table.replace(/s$/, '')}_id`
  const isTested = index % 2 === 0
  return relation({
    kind: 'model',
    name: `stg_${source}__${table}`,
    file: `models/staging/stg_${source}__${table}.sql`,
    parents: [raw],
    columns: [[key, [`${raw}:id`]], ...COLUMNS.map((name) => [name, [`${raw}:${name}`]] as const)],
    tests: isTested ? [`${key}.unique`, `${key}.not_null`] : [],
    missingTests: isTested ? [] : [`${key}: "unique"`, `${key}: "not_null"`],
    isDescribed: index % 3 === 0,
    materialized: index % 2 === 0 ? 'view' : 'table',
  })
}

function joinedOf(left: Relation | undefined, right: Relation, index: number): Relation {
  const [a, b] = [idOf(left), right.id]
  const [keyA = ''] = left?.columns?.keys() ?? []
  const [keyB = ''] = right.columns?.keys() ?? []
  const name = `int_${left?.name.replace(/^stg_\w+?__/, '') ?? ''}_with_${right.name.replace(/^stg_\w+?__/, '')}`
  return relation({
    kind: 'model',
    name,
    file: `models/intermediate/${name}.sql`,
    parents: [a, b],
    columns: [
      [keyA, [`${a}:${keyA}`]],
      [keyB, [`${b}:${keyB}`]],
      ['gross_amount', [`${a}:amount`]],
      ['state', [`${b}:status`]],
    ],
    isDescribed: index % 2 === 0,
  })
}

function martOf(source: string, below: Relation, index: number): Relation {
  const [key = ''] = below.columns?.keys() ?? []
  const total = index === 0 ? `${source}_report_total` : 'total'
  const name = `fct_${below.name.replace(/^int_/, '')}`
  return relation({
    kind: 'model',
    name,
    file: `models/marts/${name}.sql`,
    parents: [below.id],
    columns: [
      [key, [`${below.id}:${key}`]],
      [total, [`${below.id}:gross_amount`]],
    ],
    tests: index === 0 ? [`${key}.not_null`] : [],
    isDescribed: true,
    materialized: 'table',
  })
}

function filesOf(
  making: Making,
  models: readonly Relation[],
  exposure: Relation,
): Readonly<Record<string, string>> {
  const { source, tables, unread } = making
  const properties = models.map((model) => {
    const tested = Map.groupBy(model.tests, (test) => test.split('.')[0] ?? '')
    return {
      name: model.name,
      ...(model.isDescribed && { description: `Rows of ${model.name.replaceAll('_', ' ')}.` }),
      ...(model.materialized !== undefined && { config: { materialized: model.materialized } }),
      ...(tested.size > 0 && {
        columns: [...tested].map(([name, tests]) => ({
          name,
          data_tests: tests.map((test) => test.split('.')[1]),
        })),
      }),
    }
  })
  const declared = [...tables, ...unread].map((name) => ({
    name,
    ...(name === tables[0] && { description: 'The first table.' }),
  }))
  const yaml = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
  return {
    'models/sources.yml': yaml({
      version: 2,
      sources: [{ name: source, tables: declared }],
      exposures: [
        {
          name: exposure.name,
          type: 'dashboard',
          owner: { email: 'a@b.c' },
          depends_on: exposure.parents.map((id) => `ref('${id.replace(/^model\./, '')}')`),
        },
      ],
    }),
    'models/models.yml': yaml({ version: 2, models: properties }),
    'stagecraft.yml': 'preset: dbt-labs\nnaming:\n  glossary:\n    amt: amount\n',
    'raw-tables.json': JSON.stringify(
      [...tables, ...unread].map((name) => rawTable(source, name, 'added_later')),
    ),
    'former-tables.json': JSON.stringify(
      Object.fromEntries(tables.map((name) => [`${source}.${name}`, rawTable(source, name, 'gone')])),
    ),
    ...Object.fromEntries(models.map((model) => [model.file, sqlOf(model)])),
  }
}

function rawTable(schema: string, name: string, last: 'gone' | 'added_later'): Table {
  const type = { id: 'integer', amount: 'numeric(10,2)', status: 'varchar', created_at: 'timestamp' }
  return {
    schema,
    name,
    primaryKey: ['id'],
    columns: [
      ...Object.entries(type).map(([column, spelled]) => ({
        name: column,
        type: spelled,
        nullable: column !== 'id',
      })),
      // the types differ, so that it is no rename
      { name: last, type: last === 'gone' ? 'boolean' : 'date' },
    ],
  }
}

/** Every column as its parent's, with joins on the key of the first one. */
function sqlOf({ columns, parents }: Relation): string {
  const aliases = new Map(parents.map((parent, index) => [parent, `t${index + 1}`]))
  const list = [...(columns ?? [])].map(([name, [from = '']]) => {
    const mark = from.lastIndexOf(':')
    return `    ${aliases.get(from.slice(0, mark))}.${from.slice(mark + 1)} as ${name}`
  })
  const tables = parents.map((parent, index) => {
    const read = parent.startsWith('source.')
      ? `source('${parent.split('.')[1]}', '${parent.split('.')[2]}')`
      : `ref('${parent.replace(/^model\./, '')}')`
    return `${index === 0 ? 'from' : 'cross join'} {{ ${read} }} as t${index + 1}`
  })
  return `select\n${list.join(',\n')}\n${tables.join('\n')}\n`
}
