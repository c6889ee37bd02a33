import { type LineageNode } from '@stagecraft/analysis'
import { meaningsOf, spellingsOf, wordsOf } from '@stagecraft/core/run'
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
    loose: z.array(z.string()).optional().describe('words that it only mentions, or has in other words'),
  }),
  run: (view, { kinds = SEARCHED_KINDS, query }) => {
    const words = wordsOf(query).slice(0, 12)
    const wanted = words.map(meaningsOf)
    const plain = query.trim().toLowerCase()
    const scored = candidates(view, new Set(kinds)).flatMap(({ context, name, ...item }) => {
      const isNamed = name.toLowerCase() === plain || item.id.toLowerCase() === plain
      const own = wordsOf(name)
      const text = {
        own,
        described: wordsOf(item.text ?? ''),
        around: wordsOf(context),
        subject: subjectOf(item.text),
      }
      const points = words.map((word, at) => pointsOf(word, wanted[at] ?? new Set(), text))
      const score = isNamed ? 1 : scoreOf(points, own.length)
      const lacks = isNamed ? [] : words.filter((_, at) => points[at] === 0)
      const loose = isNamed ? [] : words.filter((word, at) => points[at] !== 0 && !isAbout(word, words, text))
      if (score < LEAST) return []
      return [{ ...item, score, ...(lacks.length > 0 && { lacks }), ...(loose.length > 0 && { loose }) }]
    })
    return {
      items: scored.toSorted((a, b) => b.score - a.score || compareText(a.id, b.id)),
      notes: scored.length === 0 ? ['no known name or description has these words'] : [],
    }
  },
})

/** The words of an entry by their places. */
interface Places {
  readonly own: readonly string[]
  readonly described: readonly string[]
  readonly around: readonly string[]
  /** What its description says that it is. */
  readonly subject: readonly string[]
}

function pointsOf(word: string, alike: ReadonlySet<string>, { around, described, own }: Places): number {
  if (own.includes(word)) return 1
  if (own.some((one) => isAlike(one, alike))) return 0.9
  if (around.includes(word)) return 0.7
  return described.includes(word) ? 0.7 : around.some((one) => isAlike(one, alike)) ? 0.6 : 0
}

/** `Gross amount` in `Gross amount in the currency of the order`. */
function subjectOf(text = ''): readonly string[] {
  const [subject = ''] = text.split(
    /[.,;:(]|\b(?:of|in|for|from|by|per|when|that|which|who|whose|whom|to|at|with|if)\b/i,
  )
  return wordsOf(subject)
}

/** Last words of names for a property of what the words before say: `email_status` is not an email. */
const PROPERTIES = new Set(
  'hash status flag count type verified format consent at date by valid sent'.split(' '),
)
const ASKING = new Set(['is', 'has', 'was', 'can', 'are'])

/** Returns true if an entry is what a word says, not a property of it, nor a mention. */
function isAbout(word: string, asked: readonly string[], { around, own, subject }: Places): boolean {
  // `id` of orders is the order id, and `placed_at` is when the order was placed
  if (around.includes(word) && own.every((one) => asked.includes(one) || one === 'at')) return true
  const [first = ''] = own
  const last = own.at(-1) ?? ''
  const isProperty = (PROPERTIES.has(last) && !asked.includes(last)) || (ASKING.has(first) && own.length > 1)
  const spelled = spellingsOf(word)
  const isIn = (words: readonly string[]): boolean =>
    words.some((one) => [...spellingsOf(one)].some((each) => spelled.has(each)))
  return (isIn(own) && !isProperty) || isIn(subject)
}

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
