import { layerOf } from '@stagecraft/analysis'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, entryOf, testsOf } from '../resources.ts'
import { defineTool, type Item, itemSchema } from '../tool.ts'
import { usesOf } from './uses.ts'

const GAPS = ['untested', 'undocumented', 'unused'] as const
const KINDS = ['model', 'source', 'seed', 'snapshot'] as const

/** Lists relations that lack tests, descriptions or readers. */
export const listGaps = defineTool({
  name: 'list_gaps',
  title: 'Untested, undocumented, unused',
  description:
    'Lists relations without any test (untested), without a description (undocumented), or that no model, snapshot, exposure, macro or analysis reads (unused).',
  input: {
    gap: z.enum(GAPS),
    kinds: z.array(z.enum(KINDS)).max(4).optional().describe('default: all; untested: models'),
  },
  item: itemSchema,
  run: (view, { gap, kinds = gap === 'untested' ? ['model'] : KINDS }) => {
    const wanted = new Set<string>(kinds)
    const nodes = view.lineage.nodes.filter(({ kind }) => wanted.has(kind))
    const lacks = LACKS[gap]
    return {
      items: nodes.flatMap((node): readonly Item[] => {
        const text = lacks(view, node)
        return text === undefined
          ? []
          : [{ id: node.id, kind: node.kind, file: node.path, line: node.line, text }]
      }),
      notes: gap === 'unused' ? unusedNotes(view) : [],
    }
  },
})

type Lack = (view: ProjectView, node: ProjectView['lineage']['nodes'][number]) => string | undefined

const LACKS: Readonly<Record<(typeof GAPS)[number], Lack>> = {
  untested: (view, node) =>
    testsOf(view, node).length > 0
      ? undefined
      : `no test on it or any of its ${columnsOf(view, node).columns.length} known columns`,
  undocumented: (view, node) => {
    const description = entryOf(view, node)?.get('description')
    return typeof description === 'string' && description.trim() !== '' ? undefined : 'no description'
  },
  unused: (view, node) => {
    const readers = usesOf(view, node).items.filter(({ kind }) => kind !== 'properties' && kind !== 'test')
    if (readers.length > 0) return undefined
    const model = view.models.get(node.id)
    const layer = model && layerOf(model)
    return layer === undefined ? 'nothing reads it' : `nothing reads it; its layer is ${layer}`
  },
}

function unusedNotes({ lineage }: ProjectView): readonly string[] {
  const dynamic = lineage.gaps.filter(({ reason }) => reason.startsWith('some of its references'))
  return [
    'what only people or tools outside the project read is listed too, unless an exposure names it',
    ...dynamic.map(
      ({ name }) => `${name} may read some of them: its references are worked out when dbt runs`,
    ),
  ]
}
