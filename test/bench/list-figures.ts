import { DIALECTS } from '@stagecraft/core'
import { infer } from '@stagecraft/core/inference'
import type { ColumnProfile, TableProfile } from '@stagecraft/spec'
import { randomOf } from '../random.ts'

/** Lists that the first rows of made-up columns call for, and those of them that later rows break. */
export interface ListFigures {
  readonly kind: string
  /** Later rows come as the first ones do. Otherwise values come up that nobody can know of. */
  readonly isSteady: boolean
  readonly columns: number
  readonly listed: number
  readonly failed: number
}

const WORDS =
  'alpha bravo coral delta ember fjord grove haven inlet jolly karst lemon mango noble ocean pearl quill river stone tulip umber vivid wheat xenon yield zebra'.split(
    ' ',
  )
/** A name that lists have, and two that say nothing. */
const NAMES = ['status', 'colour', 'flavour']
const ROWS = [400, 1_000, 2_000, 5_000, 20_000]

interface Shape {
  readonly random: () => number
  /** Values that the column has in the end. */
  readonly count: number
  readonly rows: number
}

/** The number of the value of a row. */
type Draw = (row: number) => number

interface Kind {
  readonly isSteady: boolean
  readonly draw: (shape: Shape) => Draw
}

const KINDS: Readonly<Record<string, Kind>> = {
  even: steady(() => 1),
  skewed: steady((at) => 1 / (at + 1) ** 1.5),
  'each a third of the one before': steady((at) => 0.35 ** at),
  'more values than a list has': steady((at) => 1 / (at + 1), WORDS.length),
  'later rows at earlier stages': {
    isSteady: true,
    draw:
      ({ count, random, rows }) =>
      (row) =>
        Math.min(count - 1, Math.floor(-Math.log(random() + 1e-9) * (1 - row / rows) * 2)),
  },
  'one after the other': {
    isSteady: true,
    draw:
      ({ count, rows }) =>
      (row) =>
        Math.floor(row / Math.max(20, rows / (2 * count))) % WORDS.length,
  },
  'one more at some time': {
    isSteady: false,
    draw: ({ count, random, rows }) => {
      const since = random() * rows
      return (row) => Math.floor(random() * (row < since ? count - 1 : count))
    },
  },
  'more and more': {
    isSteady: false,
    draw:
      ({ count, random, rows }) =>
      (row) =>
        Math.floor(random() * (2 + Math.floor((row / rows) * count))),
  },
}

function steady(weightOf: (at: number) => number, fixed?: number): Kind {
  return {
    isSteady: true,
    draw: ({ count, random }) => {
      const weights = Array.from({ length: fixed ?? count }, (_, at) => weightOf(at))
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      return () => {
        let left = random() * total
        return Math.max(
          0,
          weights.findIndex((weight) => (left -= weight) <= 0),
        )
      }
    },
  }
}

/** Infers lists from the first share of the rows of made-up columns, and holds them against all rows. */
export async function measureLists(share: number, sets = 20): Promise<readonly ListFigures[]> {
  const figures: ListFigures[] = []
  for (const [kind, { draw, isSteady }] of Object.entries(KINDS)) {
    const below = randomOf(kind.length)
    const random = (): number => below(2 ** 30) / 2 ** 30
    let [columns, listed, failed] = [0, 0, 0]
    for (let set = 0; set < sets; set += 1) {
      const rows = ROWS[set % ROWS.length] ?? 0
      for (const name of NAMES) {
        const next = draw({ random, count: 3 + Math.floor(random() * 8), rows })
        const values = Array.from({ length: rows }, (_, row) => WORDS[next(row) % WORDS.length] ?? '')
        const list = await listOf(name, values.slice(0, Math.floor(rows * share)))
        columns += 1
        listed += list ? 1 : 0
        failed += list && values.some((value) => !list.has(value)) ? 1 : 0
      }
    }
    figures.push({ kind, isSteady, columns, listed, failed })
  }
  return figures
}

/** The list that a table with these values in their order calls for. */
async function listOf(name: string, values: readonly string[]): Promise<ReadonlySet<unknown> | undefined> {
  const table = { name: 'things', columns: [{ name, type: 'varchar' }] }
  const profile: TableProfile = { rows: values.length, columns: { [name]: profileOf(values) } }
  const { facts } = await infer([{ table, profile }], { dialect: DIALECTS.duckdb })
  for (const { confidence, fact } of facts)
    if (fact.kind === 'values' && confidence >= 0.85) return new Set(fact.values)
  return undefined
}

function profileOf(values: readonly string[]): ColumnProfile {
  const middle = values.length / 2
  const rows = Map.groupBy(values.keys(), (row) => values[row] ?? '')
  return {
    nulls: 0,
    distinct: rows.size,
    minLength: 5,
    maxLength: 5,
    values: [...rows].map(([value, at]) => ({
      value,
      rows: at.length,
      halves: [at.some((row) => row < middle), at.some((row) => row >= middle)],
    })),
  }
}
