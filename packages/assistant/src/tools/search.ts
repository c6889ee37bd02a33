import { type LineageNode } from '@stagecraft/analysis'
import { meaningsOf, wordsOf } from '@stagecraft/core/run'
import { compareText } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { columnsOf } from '../resources.ts'
import { defineTool, type Item, itemSchema } from '../tool.ts'
import { columnItem, resourceOf } from './resource.ts'

const SEARCHED_KINDS = ['model', 'source', 'seed', 'snapshot', 'exposure', 'column', 'macro', 'docs'] as const

/** A thing that is searched, with the words that it is found by. */
interface Candidate extends Item {
  readonly name: string
  /** The words of what it belongs to, which count less. */
  readonly context: string
}

/** Finds things by the words of their names and descriptions, by short forms and words of the same meaning too. */
export const searchProject = defineTool({
  name: 'search_project',
  title: 'Search by words',
  description:
    'Finds models, sources, columns, macros and docs blocks by words of names and descriptions, best first. Knows abbreviations and synonyms: "customer email" finds cust_mail.',
  input: {
    query: z.string().min(1).max(300),
    kinds: z.array(z.enum(SEARCHED_KINDS)).max(8).optional().describe('default: all'),
  },
  item: itemSchema.extend({ score: z.number().min(0).max(1) }),
  run: (view, { kinds = SEARCHED_KINDS, query }) => {
    const words = wordsOf(query).slice(0, 12)
    const wanted = words.map(meaningsOf)
    const plain = query.trim().toLowerCase()
    const scored = candidates(view, new Set(kinds)).flatMap(({ context, name, ...item }) => {
      const score = name.toLowerCase() === plain || item.id.toLowerCase() === plain ? 1 : scoreOf()
      return score >= LEAST ? [{ ...item, score }] : []

      function scoreOf(): number {
        const [own, told, around] = [wordsOf(name), wordsOf(item.text ?? ''), wordsOf(context)]
        const points = words.map((word, at): number => {
          const alike = wanted[at] ?? new Set<string>()
          if (own.includes(word)) return 1
          if (own.some((one) => isAlike(one, alike))) return 0.9
          if (around.includes(word)) return 0.7
          return told.includes(word) ? 0.7 : around.some((one) => isAlike(one, alike)) ? 0.6 : 0
        })
        // names with fewer other words are closer, all things equal
        const share = points.reduce((sum, point) => sum + point, 0) / Math.max(1, points.length)
        return Math.round((share * 0.98 - Math.min(own.length, 10) / 1000) * 1000) / 1000
      }
    })
    return {
      items: scored.toSorted((a, b) => b.score - a.score || compareText(a.id, b.id)),
      notes: scored.length === 0 ? ['no name or description has these words'] : [],
    }
  },
})

/** Half of the words must be found. */
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
