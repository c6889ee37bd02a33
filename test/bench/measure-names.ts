import { readFileSync } from 'node:fs'
import { createRun } from '@stagecraft/core/run'
import type { Naming } from '@stagecraft/spec'
import { parse } from 'yaml'

/** A column, and what an analyst calls it. */
interface NamePair {
  readonly stored: string
  readonly staged: string
  readonly type: string
}

export interface PairTable {
  readonly set: string
  readonly table: string
  readonly pairs: readonly NamePair[]
}

/** How many names of a set are the analyst's own. */
interface NameShare {
  readonly set: string
  readonly columns: number
  readonly byRules: number
  readonly bySnakeCase: number
}

/** What a rule does to names: with it, against without it. */
interface RuleEffect {
  readonly rule: string
  readonly wins: number
  readonly losses: number
}

const TYPES: Readonly<Record<string, string>> = { b: 'BOOLEAN', d: 'DATE', t: 'TIMESTAMP_NTZ' }

export interface NameFigures {
  /** Of each set, and of all. */
  readonly shares: readonly NameShare[]
  readonly effects: readonly RuleEffect[]
}

/** Each naming rule, switched off. */
const SWITCHES: Readonly<Record<string, Naming>> = {
  ids: { ids: false },
  booleans: { booleans: false },
  timestamps: { timestamps: false },
  dates: { dates: false },
  splitting: { splitting: 'never' },
  customFields: { customFields: 'keep' },
}

/** None of them. */
const PLAIN: Naming = Object.assign({}, ...Object.values(SWITCHES))

/** @throws {Error} For a pair that stands before any table. */
export function readPairs(file: string): readonly PairTable[] {
  const tables: { set: string; table: string; pairs: NamePair[] }[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, set, table] = /^# (\S+) (\S+)$/.exec(line) ?? []
    if (set !== undefined && table !== undefined) tables.push({ set, table, pairs: [] })
    else if (!line.startsWith('#'))
      tables.at(-1)?.pairs.push(...line.split(' ').filter(Boolean).map(readPair))
  }
  return tables
}

function readPair(token: string): NamePair {
  const [names = '', type = ''] = token.split(':')
  const [stored = '', staged = stored] = names.split('=')
  return { stored, staged, type: TYPES[type] ?? 'VARCHAR' }
}

/** Has every table staged, and counts the names that come out as an analyst's. */
export function measureNames(tables: readonly PairTable[]): NameFigures {
  const ruled = stage(tables, {})
  const plain = stage(tables, { ...PLAIN, prefixWords: [] })
  const sets = [...new Set(tables.map(({ set }) => set))]
  const shareOf = (set: string, of: readonly PairTable[]): NameShare => {
    const pairs = of.flatMap((table) => table.pairs)
    const right = (names: ReadonlyMap<NamePair, string>): number =>
      pairs.filter((pair) => names.get(pair) === pair.staged).length
    return { set, columns: pairs.length, byRules: right(ruled), bySnakeCase: right(plain) }
  }
  const effects: RuleEffect[] = []
  for (const [rule, off] of Object.entries(SWITCHES)) {
    const without = stage(tables, off)
    const changed = [...ruled].filter(([pair, name]) => without.get(pair) !== name)
    effects.push({
      rule,
      wins: changed.filter(([pair, name]) => name === pair.staged).length,
      losses: changed.filter(([pair]) => without.get(pair) === pair.staged).length,
    })
  }
  const shares = sets.map((set) =>
    shareOf(
      set,
      tables.filter((table) => table.set === set),
    ),
  )
  return { shares: [...shares, shareOf('all', tables)], effects }
}

function stage(tables: readonly PairTable[], naming: Naming): ReadonlyMap<NamePair, string> {
  const items = tables.map(({ pairs, set, table }) => ({
    request: { type: 'staging' as const, source: `raw.${set}.${table}` },
    table: { name: table, columns: pairs.map(({ stored: name, type }) => ({ name, type })) },
  }))
  const run = createRun(items, {
    dialect: 'snowflake',
    config: { naming, options: { columnOrder: 'source', loader: 'none' } },
  })
  const names = new Map<NamePair, string>()
  for (const [index, generated] of run.tables.entries()) {
    const columns = columnsOf(generated.generate().schema)
    for (const [place, pair] of (tables[index]?.pairs ?? []).entries()) names.set(pair, columns[place] ?? '')
  }
  return names
}

function columnsOf(schema: string): readonly string[] {
  const { models } = parse(schema) as {
    readonly models: readonly { readonly columns: readonly { readonly name: string }[] }[]
  }
  return models.flatMap(({ columns }) => columns.map(({ name }) => name))
}
