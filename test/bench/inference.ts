import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { DIALECTS } from '@stagecraft/core'
import { infer, type Inference, profileTable, type Query, verifyBy } from '@stagecraft/core/inference'
import type { CatalogTable, TableProfile } from '@stagecraft/spec'
import { repositoryPath } from '../paths.ts'

/** A folder of databases, each with `truth.json` and parquet files, as test/fixtures/truth has them. */
const folder = process.env['STAGECRAFT_TRUTH'] ?? repositoryPath('test/fixtures/truth')

interface Truth {
  readonly tables: readonly {
    readonly name: string
    readonly rows?: number
    readonly file?: string
    readonly columns: readonly { readonly name: string; readonly duckdb_type: string; readonly in_data?: boolean }[]
    readonly pk: readonly string[]
    readonly pk_holds?: boolean
  }[]
  readonly fks: readonly {
    readonly table: string
    readonly columns: readonly string[]
    readonly ref_table: string
    readonly ref_columns: readonly string[]
    readonly rows?: number | null
    readonly orphans?: number | null
  }[]
}

interface Score {
  readonly hits: number
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
}

const dialect = DIALECTS.duckdb
const isVerbose = process.argv.includes('--verbose')

for (const name of readdirSync(folder)) {
  const truth = JSON.parse(readFileSync(join(folder, name, 'truth.json'), 'utf8')) as Truth
  const tables = truth.tables.map((table): CatalogTable => ({
    schema: name,
    name: table.name,
    ...(table.file !== undefined && { location: `read_parquet('${join(folder, name, table.file)}')` }),
    columns: table.columns.map((column) => ({ name: column.name, type: column.duckdb_type })),
  }))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  let queries = 0
  const query: Query = async (sql) => {
    queries += 1
    return (await connection.runAndReadAll(sql)).getRowObjectsJson()
  }
  const byNames = await infer(
    tables.map((table) => ({ table })),
    { dialect },
  )
  print(`${name} by names`, byNames, truth, () => true)
  const start = performance.now()
  const profiled = await Promise.all(
    tables.map(async (table, index) => {
      if (table.location === undefined) return { table }
      const inData = truth.tables[index]?.columns.filter((column) => column.in_data !== false)
      const read: CatalogTable = {
        ...table,
        columns: (inData ?? []).map((column) => ({ name: column.name, type: column.duckdb_type })),
      }
      const profile: TableProfile = await profileTable(read, query, dialect)
      return { table: read, profile }
    }),
  )
  const known = new Set(tables.flatMap((table) => (table.location === undefined ? [] : [table.name])))
  const byData = await infer(profiled, {
    dialect,
    verify: async (checks) => {
      const ask = checks.map((check) =>
        check.kind === 'unique' ? [check.key.table.name] : [check.child.table.name, check.parent.table.name],
      )
      const open = checks.filter((_, at) => ask[at]?.every((table) => known.has(table)))
      const answers = await verifyBy(query, dialect)(open)
      return checks.map((check) => answers[open.indexOf(check)])
    },
  })
  print(`${name} with data`, byData, truth, ({ rows, orphans }) => (rows ?? 0) > 0 && (orphans ?? 0) <= 0.1 * (rows ?? 0))
  console.log(
    `  ${queries} queries for ${tables.length} tables, ${Math.round(performance.now() - start)} ms`,
  )
  connection.closeSync()
  instance.closeSync()
}

function print(
  title: string,
  inference: Inference,
  truth: Truth,
  counts: (key: Truth['fks'][number]) => boolean,
): void {
  const keys = score(
    inference.keys.map(({ columns, table }) => `${table.name}(${columns.toSorted().join()})`),
    truth.tables.filter(({ pk }) => pk.length > 0).map(({ name, pk }) => `${name}(${pk.toSorted().join()})`),
    [],
  )
  const spell = (key: Truth['fks'][number]): string =>
    `${key.table}(${key.columns.join()}) -> ${key.ref_table}(${key.ref_columns.join()})`
  const references = score(
    inference.references.map(
      ({ child, parent }) =>
        `${child.table.name}(${child.columns.join()}) -> ${parent.table.name}(${parent.columns.join()})`,
    ),
    truth.fks.filter(counts).map(spell),
    truth.fks.filter((key) => !counts(key)).map(spell),
  )
  console.log(`${title}: keys ${share(keys)}; references ${share(references)}`)
  if (isVerbose) {
    for (const [label, { missed, wrong }] of Object.entries({ keys, references })) {
      if (wrong.length > 0) console.log(`  ${label} wrong: ${wrong.join(' · ')}`)
      if (missed.length > 0) console.log(`  ${label} missed: ${missed.join(' · ')}`)
    }
  }
}

function score(said: readonly string[], truths: readonly string[], ignored: readonly string[]): Score {
  const open = said.filter((one) => !ignored.includes(one))
  return {
    hits: open.filter((one) => truths.includes(one)).length,
    wrong: open.filter((one) => !truths.includes(one)),
    missed: truths.filter((one) => !open.includes(one)),
  }
}

function share({ hits, missed, wrong }: Score): string {
  const precision = hits + wrong.length === 0 ? '–' : (hits / (hits + wrong.length)).toFixed(2)
  const recall = hits + missed.length === 0 ? '–' : (hits / (hits + missed.length)).toFixed(2)
  return `P ${precision} R ${recall} (${hits} of ${hits + missed.length})`
}
