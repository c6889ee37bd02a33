import { type LoaderPack, LOADERS } from '@stagecraft/core'
import type { CatalogTable, Column, Config } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOn, type Engine, type Session } from './engine.ts'
import { ENGINES } from './engines.ts'
import type { RawTable } from './raw-tables.ts'
import { run, stage } from './stage.ts'
import { inEngine, loadTable } from './truth-tables.ts'

/** How a row compares with the others of its id, column by column of those that tell versions apart. */
type Version = 'oldest' | 'middle' | 'newest' | 'newest by the last column' | 'unknown'

interface Row {
  readonly id: number
  readonly version: Version
  /** What the mark says; null where it says nothing. */
  readonly deleted: boolean | null
  /** Of the rows of this id it is the one that counts. */
  readonly counts: boolean
}

/** As they are stored, which is not their order. */
const ROWS: readonly Row[] = [
  { id: 1, version: 'oldest', deleted: null, counts: false },
  { id: 1, version: 'newest', deleted: null, counts: true },
  { id: 1, version: 'middle', deleted: null, counts: false },
  { id: 2, version: 'unknown', deleted: false, counts: false },
  { id: 2, version: 'oldest', deleted: false, counts: true },
  { id: 3, version: 'newest', deleted: true, counts: true },
  { id: 3, version: 'middle', deleted: false, counts: false },
  { id: 4, version: 'middle', deleted: true, counts: false },
  { id: 4, version: 'newest', deleted: false, counts: true },
  { id: 5, version: 'unknown', deleted: null, counts: true },
]

/** Two versions that the first column does not tell apart. */
const TIED: readonly Row[] = [
  { id: 6, version: 'newest by the last column', deleted: null, counts: true },
  { id: 6, version: 'middle', deleted: null, counts: false },
]

/** The values of a column of versions, the oldest first. */
const ORDERED: Readonly<Record<string, readonly [type: string, values: readonly string[]]>> = {
  time: ['TIMESTAMP', ['2024-01-01 00:00:00', '2024-01-01 00:00:00.5', '2024-01-02 00:00:00']],
  number: ['BIGINT', ['9', '10', '9007199254740993']],
  text: ['VARCHAR', ['00000001', '00000002', '00000010']],
}

const NUMBERS = /_ms$|lsn|cursor|sequence|_version$|^__hevo|^_sling|transact_id/

function kindOf(column: string): 'number' | 'text' | 'time' {
  if (NUMBERS.test(column)) return 'number'
  return /_id$|uuid$|seq$/.test(column) ? 'text' : 'time'
}

/** Marks of deletion: what a column of the type holds for deleted and for live rows. */
type Mark = readonly [column: string, type: string, deleted: string, live: string]

function marksOf({ deleted }: LoaderPack): readonly Mark[] {
  return deleted.flatMap(({ column, when }): readonly Mark[] => {
    if (when === 'time') return [[column, 'TIMESTAMP', "'2024-01-03 00:00:00'", 'null']]
    if (when !== 'flag') return [[column, 'VARCHAR', `'${when[0]}'`, "'x'"]]
    return [
      [column, 'BOOLEAN', 'true', 'false'],
      [column, 'INTEGER', '1', '0'],
      [column, 'VARCHAR', "'True'", "'false'"],
    ]
  })
}

interface Case {
  readonly title: string
  readonly pack: LoaderPack
  readonly mark: Mark | undefined
}

const CASES: readonly Case[] = LOADERS.filter((pack) => pack.historyKey === undefined).flatMap(
  (pack): readonly Case[] => {
    const marked = marksOf(pack).map((mark) => ({ title: `${pack.name}, ${mark[0]} ${mark[1]}`, pack, mark }))
    if (marked.length > 0 || pack.versions.length === 0) return marked
    return [{ title: pack.name, pack, mark: undefined }]
  },
)

/** The rows that a pack can tell apart. */
function rowsOf({ versions }: LoaderPack): readonly Row[] {
  if (versions.length === 0) return ROWS.filter(({ counts }) => counts)
  return versions.length === 1 ? ROWS : [...ROWS, ...TIED]
}

function tableOf({ mark, pack, title }: Case, engine: Engine): RawTable {
  const versions = pack.versions.map(({ column, order }) => ({ order, column, kind: kindOf(column) }))
  const columns: readonly Column[] = [
    { name: 'id', type: 'INTEGER' },
    { name: 'label', type: 'VARCHAR' },
    ...versions.map(({ column, kind }) => ({ name: column, type: ORDERED[kind]?.[0] ?? '' })),
    ...(mark ? [{ name: mark[0], type: mark[1] }] : []),
  ]
  const table: CatalogTable = { name: title, columns }
  const rows = rowsOf(pack).map((row) => [
    String(row.id),
    `'${labelOf(row)}'`,
    ...versions.map(({ kind, order }, place) =>
      valueOf(row, { kind, order, isLast: place === versions.length - 1 }),
    ),
    ...(mark ? [row.deleted === null ? 'null' : mark[row.deleted ? 2 : 3]] : []),
  ])
  return { table: inEngine(table, engine), rows }
}

function labelOf({ id, version }: Row): string {
  return `${id} ${version}`
}

function valueOf(
  { version }: Row,
  column: { readonly kind: string; readonly order: 'asc' | 'desc'; readonly isLast: boolean },
): string {
  if (version === 'unknown') return 'null'
  const rank = version === 'newest by the last column' ? (column.isLast ? 2 : 1) : RANKS[version]
  const value = ORDERED[column.kind]?.[1][column.order === 'asc' ? 2 - rank : rank] ?? ''
  return column.kind === 'number' ? value : `'${value}'`
}

const RANKS = { oldest: 0, middle: 1, newest: 2 } as const

/** Options, and whether a row should be in the model, with what it says of being deleted. */
const STYLES: readonly (readonly [
  string,
  NonNullable<Config['options']>,
  (row: Row) => string | undefined,
])[] = [
  ['by default', {}, (row) => (row.counts && !row.deleted ? labelOf(row) : undefined)],
  ['of all versions', { duplicates: 'keep' }, (row) => (row.deleted ? undefined : labelOf(row))],
  [
    'with deleted rows flagged',
    { deletedRows: 'flag' },
    (row) => (row.counts ? `${labelOf(row)} ${row.deleted === true}` : undefined),
  ],
  ['of all rows', { duplicates: 'keep', deletedRows: 'keep' }, labelOf],
]

const MINUTE = 60_000

for (const engine of ENGINES) {
  describeOn(engine, () => {
    let session: Session | undefined
    beforeAll(async () => {
      session = await engine.open()
      for (const one of CASES) await loadTable(tableOf(one, engine), engine, session)
    }, MINUTE)
    afterAll(() => session?.close())

    test.each(STYLES)(
      'models %s have the rows that loaders mean',
      async (_, options, show) => {
        if (!session) throw new Error('there is no session')
        const faults: string[] = []
        for (const one of CASES) {
          const found = await labelsIn(session, one, { engine, options })
          const isFlagged = one.mark !== undefined || options.deletedRows !== 'flag'
          const wanted = rowsOf(one.pack).flatMap((row) => {
            const text = show(one.mark ? row : { ...row, deleted: null })
            return text === undefined ? [] : isFlagged ? text : text.replace(/ false$/, '')
          })
          if (wanted.toSorted().join() !== found.toSorted().join())
            faults.push(
              `${one.title}: ${found.toSorted().join(', ')}; wanted ${wanted.toSorted().join(', ')}`,
            )
        }
        expect(faults).toEqual([])
        expect(CASES.length).toBeGreaterThan(25)
      },
      MINUTE,
    )
  })
}

async function labelsIn(
  session: Session,
  one: Case,
  { engine, options }: { engine: Engine; options: NonNullable<Config['options']> },
): Promise<readonly string[]> {
  const { table } = tableOf(one, engine)
  const own = { key: ['id'], options: { ...options, loader: one.pack.name, loadMode: 'append' as const } }
  const config: Config = {
    naming: { columns: 'keep' },
    sources: { [table.schema ?? '']: { tables: { [table.name]: own } } },
  }
  const { plan, sql } = stage(table, engine.dialect, config)
  const { rows } = await run(session, sql)
  const [label, deleted] = ['label', 'is_deleted'].map((name) =>
    plan.columns.findIndex((column) => column.name === name),
  )
  return rows.map((row) =>
    [textOf(row[label ?? 0]), deleted === undefined || deleted < 0 ? [] : truthOf(row[deleted])]
      .flat()
      .join(' '),
  )
}

/** The value without the type that it is stored as in SQLite. */
function textOf(value: string | null | undefined): string {
  return (value ?? '').replace(/^(?:string|number|bigint) /, '')
}

/** `true`, `t`, `1` and the like. */
function truthOf(value: string | null | undefined): string {
  return String(/^(?:t|true|1)$/i.test(textOf(value)))
}
