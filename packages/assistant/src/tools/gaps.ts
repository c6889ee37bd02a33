import { layerOf } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { columnsOf } from '../resources.ts'
import { defineTool, type Item, itemSchema } from '../tool.ts'
import {
  type Choice,
  choose,
  chosen,
  COUNTED,
  type Condition,
  factReader,
  type FactReader,
  kindsOf,
  type Rank,
  readConditions,
} from './conditions.ts'
import { type Fact, FACT_NAMES, type FactName, FACTS, type FactValue, isOwnOfColumns } from './facts.ts'
import {
  asNode,
  LISTED_KINDS,
  type Listed,
  listed,
  listedColumns,
  type ListedKind,
  listedTests,
} from './listed.ts'
import { markOf } from './personal.ts'

const GAPS = ['untested', 'undocumented', 'unused'] as const
type Gap = (typeof GAPS)[number]

/** The conditions that a relation with a gap meets. */
export const GAP_CONDITIONS: Readonly<Record<Gap, Condition>> = {
  untested: { fact: 'tests', compare: '=', value: '0' },
  undocumented: { fact: 'description', compare: '=', value: 'no' },
  unused: { fact: 'readers', compare: '=', value: '0' },
}

/** Lists relations and columns that lack tests, descriptions or readers, or that meet conditions. */
export const listGaps = defineTool({
  name: 'list_gaps',
  title: 'Gaps and conditions',
  description:
    'Lists relations, columns, macros and tests that lack tests (untested), description (undocumented) or readers (unused), or that meet all conditions in where.',
  input: {
    gap: z.enum(GAPS).optional(),
    kinds: z.array(z.enum(LISTED_KINDS)).max(8).optional().describe('default: relations; untested: models'),
    where: z
      .array(z.string().max(300))
      .max(12)
      .optional()
      .describe('layer=staging, tag!=pii, tests>3, of=model.x for columns, …'),
    rank: z.string().max(40).optional().describe('most tests, …'),
  },
  item: itemSchema,
  run: (view, { gap, kinds, rank: ranked, where = [] }) => {
    const conditions = [...(gap ? [[GAP_CONDITIONS[gap]]] : []), ...where.map(readConditions)]
    const rank = ranked === undefined ? undefined : readRank(ranked)
    const asked = kinds ?? defaultKinds(conditions, rank)
    assertKinds(asked, conditions, rank)
    const relations = listed(
      view,
      conditions.flat().some(({ fact }) => fact === 'enabled'),
    )
    const wanted = new Set<string>(asked)
    const owners = wanted.has('column') ? relations.filter((one) => isRead(view, one)) : []
    const tests = wanted.has('test') ? listedTests(view, relations) : []
    const all = [...relations, ...listedColumns(view, owners), ...tests]
    const facts = factReader(view)
    const isAsked = ({ kind }: Listed): boolean => wanted.has(kind)
    const { items, notes } = choose(facts, { all, where: conditions, isAsked, rank })
    const names = [...new Set([...conditions.flat().map(({ fact }) => fact), ...(rank ? [rank.fact] : [])])]
    return {
      items: items.map((one): Item => {
        const text = textOf(
          view,
          one,
          names.map((name) => [name, facts(one, name)] as const),
        )
        return {
          id: one.id,
          kind: one.kind,
          file: one.path,
          line: one.line,
          ...(text !== '' && { text }),
        }
      }),
      notes: [
        ...notes,
        ...otherLayers(facts, { all, where: conditions, isAsked }),
        ...columnNotes(view, facts, { all: owners, where: conditions }),
        ...personalNotes(view, items, { all: owners, where: conditions }),
        ...readerNotes(view, asked, [...conditions.flat(), ...(rank ? [rank] : [])]),
      ],
    }
  },
})

/** Tests are asked for of models, when no kind is named; anything else of all that can have it. */
export function defaultKinds(
  conditions: readonly (readonly Condition[])[],
  rank?: Rank,
): readonly ListedKind[] {
  const possible = possibleKinds(conditions, rank)
  const facts = [...conditions.flat(), ...(rank ? [rank] : [])].map(({ fact }) => fact)
  if (facts.some((fact) => fact === 'tests' || fact === 'test') && possible.includes('model'))
    return ['model']
  const isOfReaders = facts.includes('readers')
  const relations = possible.filter(
    (kind) => kind !== 'column' && kind !== 'test' && !(kind === 'macro' && isOfReaders),
  )
  return relations.length > 0 ? relations : possible
}

function possibleKinds(
  conditions: readonly (readonly Condition[])[],
  rank: Rank | undefined,
): readonly ListedKind[] {
  const ranked: Fact | undefined = rank && FACTS[rank.fact]
  return kindsOf(conditions).filter((kind) => ranked?.kinds.includes(kind) ?? true)
}

/** @throws {StagecraftError} INVALID_REQUEST for what is no order of a number. */
function readRank(text: string): Rank {
  const [order, name, ...others] = text.trim().split(/\s+/)
  const fact = FACT_NAMES.find((known) => known === name && FACTS[known].type === 'count')
  if ((order === 'most' || order === 'fewest') && fact !== undefined && others.length === 0)
    return { order, fact }
  const counts = FACT_NAMES.filter((known) => FACTS[known].type === 'count')
  throw StagecraftError.invalid({
    path: 'rank',
    expected: `most or fewest, and one of ${counts.join(', ')}`,
    received: JSON.stringify(cleanText(text, 100)),
  })
}

/** @throws {StagecraftError} INVALID_REQUEST for a kind that cannot have what is asked for. */
function assertKinds(
  kinds: readonly ListedKind[],
  conditions: readonly (readonly Condition[])[],
  rank: Rank | undefined,
): void {
  const possible = possibleKinds(conditions, rank)
  const none = kinds.find((kind) => !possible.includes(kind)) ?? (kinds.length === 0 ? 'anything' : undefined)
  if (none === undefined) return
  throw StagecraftError.invalid({
    path: 'kinds',
    expected: possible.length === 0 ? 'conditions that one kind of relation can meet' : possible.join(', '),
    received: JSON.stringify(none),
  })
}

/** Says of each fact that was asked for what it is. */
function textOf(
  view: ProjectView,
  one: Listed,
  facts: readonly (readonly [fact: FactName, value: FactValue])[],
): string {
  return facts
    .flatMap(([fact, value]) => {
      if (value === undefined) return []
      return (
        SAID[fact]?.(view, one, value) ??
        `${COUNTED[fact] ?? fact}: ${typeof value === 'number' ? value : value.join(', ')}`
      )
    })
    .filter((text) => text !== '')
    .join('; ')
}

/**
 * Notes models that are left out because of their names, although they are in a folder of the layer that is asked for.
 */
function otherLayers(facts: FactReader, { all, isAsked, where }: Choice): readonly string[] {
  const isOfLayer = (group: readonly Condition[]): boolean =>
    group.every(({ compare, fact }) => fact === 'layer' && compare === '=')
  const layers = new Set(where.filter(isOfLayer).flatMap((group) => group.map(({ value }) => value)))
  if (layers.size === 0) return []
  const others = choose(facts, { all, isAsked, where: where.filter((group) => !isOfLayer(group)) })
  const left = others.items.filter(({ model }) => {
    const layer = model && layerOf(model)
    const ofFolder = model && layerOf({ ...model, name: '' })
    return ofFolder !== undefined && layers.has(ofFolder) && (layer === undefined || !layers.has(layer))
  })
  if (left.length === 0) return []
  const shown = left
    .slice(0, MOST_LEFT_OUT)
    .map(({ model, name }) => `${name} (${String(model && layerOf(model))})`)
  const more = left.length > shown.length ? ` and ${left.length - shown.length} more` : ''
  return [`left out, because their names show another layer than their folder: ${shown.join(', ')}${more}`]
}

/** Most models that a note names. */
const MOST_LEFT_OUT = 8

type Saying = (view: ProjectView, one: Listed, value: readonly string[] | number) => string

/** Facts that are said in words; those of long lists are not said. */
const SAID: Readonly<Partial<Record<FactName, Saying>>> = {
  tests: (view, one, count) =>
    count === 0 && !one.column
      ? `no test on it or any of its ${columnsOf(view, asNode(one)).columns.length} known columns`
      : count === 0
        ? 'no test'
        : `tests: ${String(count)}`,
  description: (_, __, value) => (value === 0 || String(value) === 'no' ? 'no description' : 'described'),
  readers: (_, { column, model }, count) => {
    if (count === 0 && column) return 'no model reads it'
    if (count !== 0) return `readers: ${String(count)}`
    const layer = model && layerOf(model)
    return layer === undefined ? 'nothing reads it' : `nothing reads it; its layer is ${layer}`
  },
  personal: (view, one, value) =>
    String(value) !== 'yes'
      ? 'no personal data'
      : markOf(view, one) === undefined
        ? 'personal data by name'
        : 'marked as personal data',
  folder: () => '',
  reads: (_, { test }) => test?.text ?? '',
  upstream: () => '',
  readby: () => '',
  downstream: () => '',
  column: () => '',
  name: () => '',
  of: () => '',
}

/** Returns true for relations whose columns are read; those of disabled models are not. */
function isRead({ models }: ProjectView, { id, kind }: Listed): boolean {
  return kind === 'source' || models.has(id)
}

/** Names relations that may have more columns than are known, which may meet the conditions too. */
function columnNotes(
  view: ProjectView,
  facts: FactReader,
  { all, where }: Pick<Choice, 'all' | 'where'>,
): readonly string[] {
  const ofOwner = where.filter((group) => group.every(({ fact }) => !isOwnOfColumns(fact)))
  const gaps = all.flatMap((owner) => {
    const [reason] = columnsOf(view, asNode(owner)).gaps
    return reason === undefined ? [] : [{ owner, reason }]
  })
  const unknown = gaps.map(({ owner }) => columnLike(owner))
  const asked = new Set(chosen(facts, { all: unknown, where: ofOwner, isAsked: () => true }).items)
  const left = gaps.filter((_, at) => unknown[at] && asked.has(unknown[at]))
  return [...Map.groupBy(left, ({ reason }) => reason)].map(([reason, owners]) => {
    const shown = owners.slice(0, MOST_LEFT_OUT).map(({ owner }) => owner.name)
    const more = owners.length > shown.length ? ` and ${owners.length - shown.length} more` : ''
    return `${shown.join(', ')}${more} may have more columns: ${reason}`
  })
}

/** Names relations that are marked as having personal data, and of which no column is found. */
function personalNotes(
  view: ProjectView,
  items: readonly Listed[],
  { all, where }: Pick<Choice, 'all' | 'where'>,
): readonly string[] {
  if (
    !where
      .flat()
      .some(({ compare, fact, value }) => fact === 'personal' && (compare === '=') === (value === 'yes'))
  )
    return []
  const shown = new Set(items.map(({ column }) => column?.owner.id))
  return all
    .filter((owner) => !shown.has(owner.id) && markOf(view, owner) === true)
    .map(({ name }) => `${name} is marked as having personal data, but none of its columns is`)
}

/** Stands for the columns of a relation that are not known. */
function columnLike(owner: Listed): Listed {
  return { ...owner, kind: 'column', column: { owner, name: '', isDescribed: false, tests: [] } }
}

/** Says what may use a relation or macro besides the known readers, where its readers decide. */
function readerNotes(
  { lineage }: ProjectView,
  kinds: readonly ListedKind[],
  asked: readonly (Condition | Rank)[],
): readonly string[] {
  const isUnused = asked.some(
    (one) => one.fact === 'readers' && 'value' in one && one.value === '0' && one.compare === '=',
  )
  if (!asked.some(({ fact }) => fact === 'readers' || fact === 'children')) return []
  const dynamic = lineage.gaps.filter(({ reason }) => reason.startsWith('some of its references'))
  const isOfRelations = kinds.some((kind) => kind !== 'macro' && kind !== 'column')
  return [
    ...(isUnused && isOfRelations
      ? ['the list includes relations read only outside the project, unless an exposure names them']
      : []),
    ...(isUnused && kinds.includes('column')
      ? ['the list includes columns that only tests and queries outside the project read']
      : []),
    ...(isUnused && kinds.includes('macro')
      ? ['the list includes macros that only packages or `dbt run-operation` call']
      : []),
    ...(isOfRelations ? dynamic : []).map(
      ({ name }) => `${name} may read some of them: its references are only known when dbt runs`,
    ),
  ]
}
