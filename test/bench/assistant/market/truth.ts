import { type Fact, FOLDERS, MODELS, READERS, SEEDS, SOURCES, type SourceFact } from './facts.ts'

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
