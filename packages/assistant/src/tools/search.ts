import { type LineageNode } from '@stagecraft/analysis'
import { meaningsOf, wordsOf } from '@stagecraft/core/run'
import { compareText } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { columnsOf } from '../resources.ts'
import { defineTool, type Item, itemSchema } from '../tool.ts'
import { columnItem, resourceOf } from './resource.ts'

const SEARCHED_KINDS = ['model', 'source', 'seed', 'snapshot', 'exposure', 'column', 'macro', 'docs'] as const

/** An entry of the search index, with its words. */
interface Candidate extends Item {
  readonly name: string
  /** The words of its owner, which count less. */
  readonly context: string
}

/** Finds resources by words of their names and descriptions, including abbreviations and synonyms. */
export const searchProject = defineTool({
  name: 'search_project',
  title: 'Search by words',
  description:
    'Finds models, sources, columns, macros and docs blocks by words of names and descriptions, best first. Knows abbreviations and synonyms: "customer email" finds cust_mail.',
  input: {
    query: z.string().min(1).max(300),
    kinds: z.array(z.enum(SEARCHED_KINDS)).max(8).optional().describe('default: all'),
  },
  item: itemSchema.extend({
    score: z.number().min(0).max(1),
    lacks: z.array(z.string()).optional().describe('words of the query that do not match'),
  }),
  run: (view, { kinds = SEARCHED_KINDS, query }) => {
    const words = wordsOf(query).slice(0, 12)
    const wanted = words.map(meaningsOf)
    const plain = query.trim().toLowerCase()
    const scored = candidates(view, new Set(kinds)).flatMap(({ context, name, ...item }) => {
      const isNamed = name.toLowerCase() === plain || item.id.toLowerCase() === plain
      const [own, described, around] = [wordsOf(name), wordsOf(item.text ?? ''), wordsOf(context)]
      const points = words.map((word, at): number => {
        const alike = wanted[at] ?? new Set<string>()
        if (own.includes(word)) return 1
        if (own.some((one) => isAlike(one, alike))) return 0.9
        if (around.includes(word)) return 0.7
        return described.includes(word) ? 0.7 : around.some((one) => isAlike(one, alike)) ? 0.6 : 0
      })
      const score = isNamed ? 1 : scoreOf(points, own.length)
      const lacks = isNamed ? [] : words.filter((_, at) => points[at] === 0)
      return score >= LEAST ? [{ ...item, score, ...(lacks.length > 0 && { lacks }) }] : []
    })
    return {
      items: scored.toSorted((a, b) => b.score - a.score || compareText(a.id, b.id)),
      notes: scored.length === 0 ? ['no known name or description has these words'] : [],
    }
  },
})

/** Names with fewer other words rank higher, all else being equal. */
function scoreOf(points: readonly number[], words: number): number {
  const share = points.reduce((sum, point) => sum + point, 0) / Math.max(1, points.length)
  return Math.round((share * 0.98 - Math.min(words, 10) / 1000) * 1000) / 1000
}

/** The share of words that must be found. */
const LEAST = 0.45

function isAlike(word: string, meanings: ReadonlySet<string>): boolean {
  return meanings.has(word) || (word.length > 1 && [...meaningsOf(word)].some((one) => meanings.has(one)))
}

function candidates(view: ProjectView, kinds: ReadonlySet<string>): readonly Candidate[] {
  const { index } = view.project
  const ofNodes = view.lineage.nodes.flatMap((node) => [
    ...(kinds.has(node.kind) ? [{ ...resourceOf(view, { node }), name: node.name, context: '' }] : []),
    ...(kinds.has('column') && node.kind !== 'exposure' ? columnCandidates(view, node) : []),
  ])
  const blocks = [
    ...index.macros.map((block) => ({ ...block, kind: 'macro' })),
    ...index.docs.map((block) => ({ ...block, kind: 'docs' })),
  ].map(({ kind, line, name, path }) => ({
    id: `${kind}.${name}`,
    kind,
    name,
    file: path,
    line,
    context: '',
  }))
  return [...ofNodes, ...blocks.filter(({ kind }) => kinds.has(kind))]
}

function columnCandidates(view: ProjectView, node: LineageNode): readonly Candidate[] {
  return columnsOf(view, node).columns.map((column) => ({
    ...columnItem(column),
    name: column.name,
    context: node.name,
  }))
}
