import { type Fact, FOLDERS, MACROS, MODELS, READERS, SEEDS, SOURCES, type SourceFact } from './facts.ts'

/** The right answer: a set of ids, a number, or that the question has to be refused. */
export type Answer = ReadonlySet<string> | number | 'refuse'

const enabled = MODELS.filter((one) => !one.isDisabled)

const materializedOf = (one: Fact): string =>
  one.materialized ?? FOLDERS[one.folder.split('/')[0] ?? '']?.materialized ?? ''
const tagsOf = (one: Fact): readonly string[] => [...(one.tags ?? []), ...(FOLDERS[one.folder]?.tags ?? [])]
const layerOf = (one: Fact): string => one.folder.split('/')[0] ?? ''
/** Counts data tests, those in files of their own too. */
export const testsOf = (one: Fact): number =>
  Object.values(one.tests ?? {}).flat().length +
  READERS.filter(({ kind, reads }) => kind === 'test' && reads.includes(one.name)).length

export const untested = (one: Fact): boolean => testsOf(one) === 0
export const undescribed = (one: Fact): boolean => one.description === undefined
export const staging = (one: Fact): boolean => layerOf(one) === 'staging'
export const marts = (one: Fact): boolean => layerOf(one) === 'marts'
export const intermediate = (one: Fact): boolean => layerOf(one) === 'intermediate'
export const tagged =
  (tag: string) =>
  (one: Fact): boolean =>
    tagsOf(one).includes(tag)
export const built =
  (as: string) =>
  (one: Fact): boolean =>
    materializedOf(one) === as
export const within =
  (folder: string) =>
  (one: Fact): boolean =>
    `${one.folder}/`.startsWith(`${folder}/`)
export const grouped =
  (group: string | undefined) =>
  (one: Fact): boolean =>
    one.group === group

/** The ids of enabled models that are all of it. */
export function models(...tests: readonly ((one: Fact) => boolean)[]): ReadonlySet<string> {
  return new Set(enabled.filter((one) => tests.every((test) => test(one))).map(({ name }) => `model.${name}`))
}

export const not =
  (test: (one: Fact) => boolean) =>
  (one: Fact): boolean =>
    !test(one)
export const either =
  (...tests: readonly ((one: Fact) => boolean)[]) =>
  (one: Fact): boolean =>
    tests.some((test) => test(one))

const sourceId = ({ source, table }: SourceFact): string => `source.${source}.${table}`
export function sources(test: (one: SourceFact) => boolean = () => true): ReadonlySet<string> {
  return new Set(SOURCES.filter(test).map(sourceId))
}

interface Node {
  readonly id: string
  readonly name: string
  readonly reads: readonly string[]
}
const nodes: readonly Node[] = [
  ...enabled.map((one) => ({ id: `model.${one.name}`, ...one })),
  ...SOURCES.map((one) => ({ id: sourceId(one), name: `${one.source}.${one.table}`, reads: [] })),
  ...SEEDS.map((name) => ({ id: `seed.${name}`, name, reads: [] })),
  ...READERS.map((one) => ({ id: `${one.kind}.${one.name}`, ...one })),
]

/** What reads it directly, without tests. */
export function readersOf(name: string): ReadonlySet<string> {
  return new Set(
    nodes.filter((one) => one.reads.includes(name) && !one.id.startsWith('test.')).map(({ id }) => id),
  )
}

/** What it reads directly. */
export function parentsOf(name: string): ReadonlySet<string> {
  const reads = nodes.find((one) => one.name === name)?.reads ?? []
  return new Set(nodes.filter((one) => reads.includes(one.name)).map(({ id }) => id))
}

const nameOf = (id: string): string => nodes.find((one) => one.id === id)?.name ?? ''

function closure(name: string, next: (name: string) => ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [name]
  for (const one of open)
    for (const id of next(one)) {
      if (found.has(id)) continue
      found.add(id)
      open.push(nameOf(id))
    }
  return found
}
export const downstream = (name: string): ReadonlySet<string> => closure(name, readersOf)
export const upstream = (name: string): ReadonlySet<string> => closure(name, parentsOf)

/** Models that are made from something, directly or not; from any table of a source. */
export const madeFrom =
  (origin: string) =>
  ({ name }: Fact): boolean =>
    [...upstream(name)].some((id) => id.endsWith(`.${origin}`) || id.startsWith(`source.${origin}.`))
export const only = (ids: ReadonlySet<string>, kind: string): ReadonlySet<string> =>
  new Set([...ids].filter((id) => id.startsWith(`${kind}.`)))
export const ids = (...list: readonly string[]): ReadonlySet<string> => new Set(list)
export const unusedModels = (...tests: readonly ((one: Fact) => boolean)[]): ReadonlySet<string> =>
  models((one) => readersOf(one.name).size === 0, ...tests)
export const unusedSources = (test: (one: SourceFact) => boolean = () => true): ReadonlySet<string> =>
  sources((one) => readersOf(`${one.source}.${one.table}`).size === 0 && test(one))
export const testIds = (name: string): ReadonlySet<string> => {
  const facts = MODELS.find((one) => one.name === name)
  const generic = Object.entries(facts?.tests ?? {}).flatMap(([column, list]) =>
    list.map(
      (test) => `test.model.${name}:${column}.${typeof test === 'string' ? test : Object.keys(test)[0]}`,
    ),
  )
  const single = READERS.filter(({ kind, reads }) => kind === 'test' && reads.includes(name))
  return new Set([...generic, ...single.map((one) => `test.${one.name}`)])
}
export const columnsOf = (name: string): ReadonlySet<string> =>
  new Set(
    Object.keys(MODELS.find((one) => one.name === name)?.columns ?? {}).map(
      (column) => `model.${name}:${column}`,
    ),
  )

/** A column of a model, seed, snapshot or source table, as far as files show them. */
interface ColumnFact {
  readonly id: string
  /** The model that has it. @default another relation has it */
  readonly model?: Fact
  readonly isDescribed: boolean
  readonly tests: readonly string[]
}

const nameOfTest = (test: string | object): string =>
  typeof test === 'string' ? test : (Object.keys(test)[0] ?? '')

const columnFacts = (model: Fact): readonly ColumnFact[] =>
  Object.keys(model.columns).map((column) => ({
    id: `model.${model.name}:${column}`,
    model,
    isDescribed: model.described?.[column] !== undefined,
    tests: (model.tests?.[column] ?? []).map(nameOfTest),
  }))

const bare = (id: string): ColumnFact => ({ id, isDescribed: false, tests: [] })
const SNAPSHOT_COLUMNS = ['dbt_scd_id', 'dbt_updated_at', 'dbt_valid_from', 'dbt_valid_to']

const allColumns: readonly ColumnFact[] = [
  ...enabled.flatMap(columnFacts),
  ...SEEDS.flatMap((seed) => ['code', 'name'].map((column) => bare(`seed.${seed}:${column}`))),
  ...['user_id', 'email', 'country', ...SNAPSHOT_COLUMNS].map((name) =>
    bare(`snapshot.users_history:${name}`),
  ),
  ...SOURCES.flatMap((one) =>
    Object.entries(one.tests ?? {}).map(([column, tests]) => ({
      ...bare(`${sourceId(one)}:${column}`),
      tests,
    })),
  ),
]

/** The ids of columns that are all of it. */
export function columns(...tests: readonly ((one: ColumnFact) => boolean)[]): ReadonlySet<string> {
  return new Set(allColumns.filter((one) => tests.every((test) => test(one))).map(({ id }) => id))
}
export const bareOfDocs = (one: ColumnFact): boolean => !one.isDescribed
export const bareOfTests = (one: ColumnFact): boolean => one.tests.length === 0
export const having =
  (test: string) =>
  (one: ColumnFact): boolean =>
    one.tests.includes(test)
export const ofModels =
  (...tests: readonly ((one: Fact) => boolean)[]) =>
  ({ model }: ColumnFact): boolean =>
    model !== undefined && tests.every((test) => test(model))
export const named =
  (...names: readonly string[]) =>
  (one: Fact): boolean =>
    names.includes(one.name)
export const gapsOf = (one: Fact): number => columnFacts(one).filter(bareOfDocs).length
export const width = (one: Fact): number => Object.keys(one.columns).length
export const ownedBy =
  (owner: string | undefined) =>
  (one: Fact): boolean =>
    owner === undefined ? one.owner === undefined && one.group === undefined : one.owner === owner

/** The ids of those models that have the highest number, or the lowest. */
export function extreme(
  order: 'most' | 'fewest',
  count: (one: Fact) => number,
  ...tests: readonly ((one: Fact) => boolean)[]
): ReadonlySet<string> {
  const all = enabled.filter((one) => tests.every((test) => test(one)))
  const best = all.map(count).reduce((a, b) => (order === 'most' ? Math.max(a, b) : Math.min(a, b)))
  return models(...tests, (one) => count(one) === best)
}

/** The ids of macros that something calls, or that nothing does. */
export function macros(isCalled: boolean): ReadonlySet<string> {
  return new Set(
    MACROS.filter((one) => (one.callers.length > 0 || one.isCalledByDbt === true) === isCalled).map(
      ({ name }) => `macro.${name}`,
    ),
  )
}

/** What calls a macro, directly or through another one. */
export function callersOf(name: string): ReadonlySet<string> {
  const own = MACROS.find((one) => one.name === name)?.callers ?? []
  return new Set(own.flatMap((id) => [id, ...(id.startsWith('macro.') ? callersOf(id.slice(6)) : [])]))
}

/** The data tests of enabled models and source tables, and those in files of their own. */
const allTests: readonly {
  readonly id: string
  readonly name: string
  readonly severity: string
  readonly to?: string | undefined
}[] = [
  ...enabled.flatMap((one) => testFacts(`model.${one.name}`, one.tests ?? {})),
  ...SOURCES.flatMap((one) => testFacts(sourceId(one), one.tests ?? {})),
  ...READERS.filter(({ kind }) => kind === 'test').map(({ name, severity = 'error' }) => ({
    id: `test.${name}`,
    name,
    severity,
  })),
]

type TestFact = (typeof allTests)[number]

function testFacts(
  owner: string,
  tests: Readonly<Record<string, readonly (string | object)[]>>,
): readonly TestFact[] {
  return Object.entries(tests).flatMap(([column, list]) =>
    list.map((test): TestFact => {
      const written = JSON.stringify(test)
      const [, to] = /ref\('(\w+)'\)/.exec(written) ?? []
      const name = nameOfTest(test)
      const severity = written.includes('"severity":"warn"') ? 'warn' : 'error'
      return { id: `test.${owner}:${column}.${name}`, name, severity, to }
    }),
  )
}

export const tests = (test: (one: TestFact) => boolean): ReadonlySet<string> =>
  new Set(allTests.filter(test).map(({ id }) => id))

/** A key is tested if one column is unique and never null. */
export const keyed = ({ tests: own = {} }: Fact): boolean =>
  Object.values(own).some((list) => {
    const names = new Set(list.map(nameOfTest))
    return names.has('unique') && names.has('not_null')
  })

/** The number of direct readers of one kind. */
export const readersOfKind = (name: string, kind: string): number => only(readersOf(name), kind).size
export const parentsOfKind = (name: string, kind: string): number => only(parentsOf(name), kind).size

/** Calls a macro, through other macros too. */
export const calling =
  (macro: string) =>
  ({ name }: Fact): boolean =>
    callersOf(macro).has(`model.${name}`)
