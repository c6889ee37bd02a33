import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { openCatalog } from '@stagecraft/catalogs'
import { DIALECTS } from '@stagecraft/core'
import { infer, observeIn } from '@stagecraft/core/inference'
import type { Catalog, CatalogTable } from '@stagecraft/spec'
import { loadOrders } from './order-tables.ts'

// Prints the time in which tables of the sizes of TPC-H are profiled and inferred, beside that of one count of the
// different values of each column, and the time of inference by names alone. `--scale 0.1` makes smaller tables.

const at = process.argv.indexOf('--scale')
const scale = at < 0 ? 1 : Number(process.argv[at + 1])
const TIMES = 3
const SYLLABLES = 'ba co di fu ge ha ki lo mu ne'.split(' ')

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-bench-profile-'))
try {
  const path = join(folder, 'raw.duckdb')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await loadOrders((sql) => connection.run(sql), scale)
  connection.closeSync()
  instance.closeSync()
  const catalog = await openCatalog(`duckdb:${path}`)
  try {
    await compare(catalog, statSync(path).size)
  } finally {
    await catalog.close()
  }
} finally {
  rmSync(folder, { recursive: true })
}
await measureNames(367)

async function compare(catalog: Catalog, bytes: number): Promise<void> {
  const tables = await catalog.tables({})
  const rows = (await catalog.sizes?.(tables))?.reduce((sum, size) => sum + (size.rows ?? 0), 0) ?? 0
  console.log(
    `${tables.length} tables, ${rows.toLocaleString('en-US')} rows, ${Math.round(bytes / 1e6)} MB in the file`,
  )
  let queries = 0
  const counting: Catalog = {
    ...catalog,
    query: async (sql, options) => {
      queries += 1
      return (await catalog.query?.(sql, options)) ?? []
    },
  }
  let found = ''
  // in turn, so that other work on the machine slows both
  const runs: Spent[][] = []
  for (let run = 0; run < TIMES; run += 1) {
    const counts = await spend(() => countDistinct(catalog, tables))
    queries = 0
    const profile = await spend(async () => {
      const { inference } = await observeIn(counting, tables, { asked: 'bench' })
      found = `${inference.keys.length} keys, ${inference.references.length} references`
    })
    runs.push([counts, profile])
  }
  const [counts, profile] = [0, 1].map((at) => least(runs.map((run) => run[at])))
  if (!counts || !profile) return
  const times = (name: keyof Spent): string => `${(profile[name] / counts[name]).toFixed(2)} times`
  console.log(`  one count(distinct) per column, a statement per table: ${print(counts)}`)
  console.log(`  profiled and inferred: ${print(profile)}; ${found}`)
  console.log(`  ${times('clock')} as long, ${times('processors')} the time of processors`)
  console.log(`  ${queries} queries, ${(queries / tables.length).toFixed(1)} per table`)
}

async function countDistinct(catalog: Catalog, tables: readonly CatalogTable[]): Promise<void> {
  for (const { columns, name } of tables) {
    const counted = columns.map((column) => `count(distinct "${column.name}")`).join(', ')
    await catalog.query?.(`select ${counted} from "${name}"`)
  }
}

async function measureNames(count: number): Promise<void> {
  const tables = Array.from({ length: count }, (_, number): CatalogTable => {
    const columns = ['id', 'name', 'status', 'created_at', 'updated_at', 'total_amount']
    const parents = [number - 1, Math.floor(number / 2), Math.floor(number / 3)].filter((one) => one >= 0)
    return {
      name: nameOf(number),
      columns: [
        ...columns.map((name) => ({ name, type: name.endsWith('_at') ? 'timestamp' : 'bigint' })),
        ...parents.map((parent) => ({ name: `${nameOf(parent)}_id`, type: 'bigint' })),
      ],
    }
  })
  let references = 0
  const names = await best(async () => {
    const found = await infer(
      tables.map((table) => ({ table })),
      { dialect: DIALECTS.duckdb },
    )
    references = found.references.length
  })
  console.log(`${count} tables by names alone: ${seconds(names)}, ${references} references`)
}

/** A name of three made-up words. */
function nameOf(number: number): string {
  const word = (rest: number): string =>
    `${SYLLABLES[rest % 10]}${SYLLABLES[Math.floor(rest / 10) % 10]}${SYLLABLES[Math.floor(rest / 100) % 10]}l`
  return [number, number * 7 + 3].map(word).join('_')
}

/** The shortest of a few runs: what is longer was the machine. */
async function best(work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < TIMES; run += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

/** Milliseconds on the clock, and those of all processors together, which other work on the machine takes none of. */
interface Spent {
  readonly clock: number
  readonly processors: number
}

async function spend(work: () => Promise<void>): Promise<Spent> {
  const start = performance.now()
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return { clock: performance.now() - start, processors: (system + user) / 1000 }
}

function least(all: readonly (Spent | undefined)[]): Spent {
  const of = (name: keyof Spent): number => Math.min(...all.map((spent) => spent?.[name] ?? Infinity))
  return { clock: of('clock'), processors: of('processors') }
}

function print({ clock, processors }: Spent): string {
  return `${seconds(clock)}, ${seconds(processors)} of processors`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
