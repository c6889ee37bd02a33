import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { DIALECTS } from '@stagecraft/core'
import {
  infer,
  type Inference,
  profileTable,
  type Query,
  type Verify,
  verifyBy,
} from '@stagecraft/core/inference'
import type { CatalogTable } from '@stagecraft/spec'

/** The parts of a truth.json that inference is held against. */
interface Truth {
  readonly tables: readonly TruthTable[]
  readonly fks: readonly TruthReference[]
}

interface TruthTable {
  readonly name: string
  readonly rows?: number | null
  readonly file?: string
  readonly columns: readonly {
    readonly name: string
    readonly duckdb_type: string
    readonly in_data?: boolean
  }[]
  readonly pk: readonly string[]
  /** False where rows of the data break the key. */
  readonly pk_holds?: boolean | null
}

interface TruthReference {
  readonly table: string
  readonly columns: readonly string[]
  readonly ref_table: string
  readonly ref_columns: readonly string[]
  readonly rows?: number | null
  readonly orphans?: number | null
}

/** Proposals that are true, that are not, and truths that were not proposed. */
export interface Score {
  readonly hits: readonly string[]
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
}

export interface SetFigures {
  readonly name: string
  readonly keysByNames: Score
  readonly referencesByNames: Score
  readonly keys: Score
  /** Of tables with 200 rows and more; small ones say little. */
  readonly keysOfLarge: Score
  /** Only those that the rows can confirm: nine in ten child rows have a parent. */
  readonly references: Score
  readonly tables: number
  readonly queries: number
  readonly milliseconds: number
}

const dialect = DIALECTS.duckdb
const LARGE = 200

/** Measures every database of a folder, its declarations hidden. */
export async function measureInference(folder: string): Promise<readonly SetFigures[]> {
  const figures: SetFigures[] = []
  for (const name of readdirSync(folder).toSorted()) figures.push(await measureSet(name, join(folder, name)))
  return figures
}

async function measureSet(name: string, folder: string): Promise<SetFigures> {
  const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Truth
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    let queries = 0
    const query: Query = async (sql) => {
      queries += 1
      return (await connection.runAndReadAll(sql)).getRowObjectsJson()
    }
    const byNames = await infer(
      truth.tables.map((table) => ({ table: toTable(table, folder) })),
      { dialect },
    )
    const start = performance.now()
    const byRows = await inferByRows(truth, folder, query)
    return {
      name,
      keysByNames: scoreKeys(byNames, truth, () => true),
      referencesByNames: scoreReferences(byNames, truth, () => true),
      keys: scoreKeys(byRows, truth, ({ pk_holds }) => pk_holds !== false),
      keysOfLarge: scoreKeys(
        byRows,
        truth,
        ({ pk_holds, rows }) => pk_holds !== false && (rows ?? 0) >= LARGE,
      ),
      references: scoreReferences(byRows, truth, isConfirmable),
      tables: truth.tables.length,
      queries,
      milliseconds: performance.now() - start,
    }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function inferByRows(truth: Truth, folder: string, query: Query): Promise<Inference> {
  const tables = await Promise.all(
    truth.tables.map(async (entry) => {
      const table = toTable(entry, folder)
      return table.location === undefined
        ? { table }
        : { table, profile: await profileTable(table, query, dialect) }
    }),
  )
  const verifyAll = verifyBy((sql) => query(sql), dialect)
  const verify: Verify = async (checks) => {
    const open = checks.filter((check) => {
      const asked = check.kind === 'unique' ? [check.key] : [check.child, check.parent]
      return asked.every(({ table }) => table.location !== undefined)
    })
    const answers = await verifyAll(open)
    return checks.map((check) => answers[open.indexOf(check)])
  }
  return infer(tables, { dialect, verify })
}

function toTable({ columns, file, name }: TruthTable, folder: string): CatalogTable {
  const present = file === undefined ? columns : columns.filter(({ in_data }) => in_data !== false)
  return {
    name,
    columns: present.map((column) => ({ name: column.name, type: column.duckdb_type })),
    ...(file !== undefined && { location: `read_parquet('${join(folder, file)}')` }),
  }
}

function isConfirmable({ orphans, rows }: TruthReference): boolean {
  return (rows ?? 0) > 0 && (orphans ?? 0) <= 0.1 * (rows ?? 0)
}

function scoreKeys({ keys }: Inference, truth: Truth, counts: (table: TruthTable) => boolean): Score {
  const counted = truth.tables.filter((table) => table.pk.length > 0 && counts(table))
  const names = new Set(counted.map(({ name }) => name))
  return score(
    keys.filter(({ table }) => names.has(table.name)).map(({ columns, table }) => print(table.name, columns)),
    counted.map(({ name, pk }) => print(name, pk)),
  )
}

function scoreReferences(
  { references }: Inference,
  truth: Truth,
  counts: (reference: TruthReference) => boolean,
): Score {
  const spell = (key: TruthReference): string =>
    `${print(key.table, key.columns)} -> ${print(key.ref_table, key.ref_columns)}`
  const passedOver = new Set(truth.fks.filter((key) => !counts(key)).map(spell))
  const said = references.map(
    ({ child, parent }) =>
      `${print(child.table.name, child.columns)} -> ${print(parent.table.name, parent.columns)}`,
  )
  return score(
    said.filter((reference) => !passedOver.has(reference)),
    truth.fks.filter(counts).map(spell),
  )
}

function print(table: string, columns: readonly string[]): string {
  return `${table}(${columns.toSorted().join()})`
}

function score(said: readonly string[], truth: readonly string[]): Score {
  return {
    hits: said.filter((one) => truth.includes(one)),
    wrong: said.filter((one) => !truth.includes(one)),
    missed: truth.filter((one) => !said.includes(one)),
  }
}

export function addScores(scores: readonly Score[]): Score {
  return {
    hits: scores.flatMap(({ hits }) => hits),
    wrong: scores.flatMap(({ wrong }) => wrong),
    missed: scores.flatMap(({ missed }) => missed),
  }
}

/** Share of proposals that are true; 1 where nothing was proposed. */
export function precisionOf({ hits, wrong }: Score): number {
  return hits.length + wrong.length === 0 ? 1 : hits.length / (hits.length + wrong.length)
}

/** Share of truths that were proposed; 1 where there is none. */
export function recallOf({ hits, missed }: Score): number {
  return hits.length + missed.length === 0 ? 1 : hits.length / (hits.length + missed.length)
}
