import { layerOf } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { columnsOf } from '../resources.ts'
import { defineTool, type Item, itemSchema } from '../tool.ts'
import {
  type Choice,
  choose,
  type Condition,
  factReader,
  type FactReader,
  kindsOf,
  readConditions,
} from './conditions.ts'
import { type FactName, type FactValue, LISTED_KINDS, type Listed, type ListedKind, listed } from './facts.ts'

const GAPS = ['untested', 'undocumented', 'unused'] as const
type Gap = (typeof GAPS)[number]

/** What is asked of a relation that has a gap. */
export const GAP_CONDITIONS: Readonly<Record<Gap, Condition>> = {
  untested: { fact: 'tests', compare: '=', value: '0' },
  undocumented: { fact: 'description', compare: '=', value: 'no' },
  unused: { fact: 'readers', compare: '=', value: '0' },
}

/** Lists relations that lack tests, descriptions or readers, or that meet conditions. */
export const listGaps = defineTool({
  name: 'list_gaps',
  title: 'Relations by gaps and conditions',
  description:
    'Lists relations without tests (untested), description (undocumented) or readers (unused), and those that meet all conditions in where.',
  input: {
    gap: z.enum(GAPS).optional(),
    kinds: z.array(z.enum(LISTED_KINDS)).max(6).optional().describe('default: all; untested: models'),
    where: z
      .array(z.string().max(300))
      .max(12)
      .optional()
      .describe('layer=staging, folder, tag!=pii, materialized, tests>3, …'),
  },
  item: itemSchema,
  run: (view, { gap, kinds, where = [] }) => {
    const conditions = [...(gap ? [[GAP_CONDITIONS[gap]]] : []), ...where.map(readConditions)]
    const asked = kinds ?? defaultKinds(conditions)
    assertKinds(asked, conditions)
    const all = listed(
      view,
      conditions.flat().some(({ fact }) => fact === 'enabled'),
    )
    const wanted = new Set<string>(asked)
    const facts = factReader(view)
    const isAsked = ({ kind }: Listed): boolean => wanted.has(kind)
    const { items, notes } = choose(facts, { all, where: conditions, isAsked })
    const names = [...new Set(conditions.flat().map(({ fact }) => fact))]
    const isUnused = conditions.flat().some(isAboutReaders)
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
        ...(isUnused ? unusedNotes(view) : []),
      ],
    }
  },
})

/** Tests are asked for of models, when no kind is named; anything else of all that can have it. */
export function defaultKinds(conditions: readonly (readonly Condition[])[]): readonly ListedKind[] {
  const possible = kindsOf(conditions)
  const isOfTests = conditions.flat().some(({ fact }) => fact === 'tests' || fact === 'test')
  return isOfTests && possible.includes('model') ? ['model'] : possible
}

/** @throws {StagecraftError} INVALID_REQUEST for a kind that cannot have what is asked for. */
function assertKinds(kinds: readonly ListedKind[], conditions: readonly (readonly Condition[])[]): void {
  const possible = kindsOf(conditions)
  const none = kinds.find((kind) => !possible.includes(kind)) ?? (kinds.length === 0 ? 'anything' : undefined)
  if (none === undefined) return
  throw StagecraftError.invalid({
    path: 'kinds',
    expected: possible.length === 0 ? 'conditions that one kind of relation can meet' : possible.join(', '),
    received: JSON.stringify(none),
  })
}

const isAboutReaders = ({ compare, fact, value }: Condition): boolean =>
  fact === 'readers' && compare === '=' && value === '0'

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
        SAID[fact]?.(view, one, value) ?? `${fact}: ${typeof value === 'number' ? value : value.join(', ')}`
      )
    })
    .filter((text) => text !== '')
    .join('; ')
}

/** Notes models that are left out because of their names, although they are in a folder of the layer that is asked for. */
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
  tests: (view, { kind, ...one }, count) =>
    count === 0 && kind !== 'exposure' && kind !== 'macro'
      ? `no test on it or any of its ${columnsOf(view, { ...one, kind }).columns.length} known columns`
      : `tests: ${String(count)}`,
  description: (_, __, value) => (value === 0 || String(value) === 'no' ? 'no description' : 'described'),
  readers: (_, { model }, count) => {
    if (count !== 0) return `readers: ${String(count)}`
    const layer = model && layerOf(model)
    return layer === undefined ? 'nothing reads it' : `nothing reads it; its layer is ${layer}`
  },
  folder: () => '',
  column: () => '',
}

function unusedNotes({ lineage }: ProjectView): readonly string[] {
  const dynamic = lineage.gaps.filter(({ reason }) => reason.startsWith('some of its references'))
  return [
    'the list includes relations read only outside the project, unless an exposure names them',
    ...dynamic.map(
      ({ name }) => `${name} may read some of them: its references are only known when dbt runs`,
    ),
  ]
}
