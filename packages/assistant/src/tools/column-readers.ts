import { idOfRelation } from '@stagecraft/analysis'
import type { ProjectView } from '../project-view.ts'
import { oncePerView } from '../references.ts'

/**
 * Counts the models and snapshots that read a column, also in joins and conditions; undefined if more may read it, because an exposure
 * shows its relation, or because the SQL of a reader is not fully known.
 */
export function countColumnReaders(view: ProjectView, owner: string, column: string): number | undefined {
  const { readers, unclear } = readersByColumn(view)
  return unclear.has(owner) ? undefined : (readers.get(keyOf(owner, column))?.size ?? 0)
}

const keyOf = (owner: string, column: string): string => `${owner}:${column.toLowerCase()}`

const readersByColumn = oncePerView((view) => {
  const { lineage, models, project } = view
  const readers = new Map<string, Set<string>>()
  const clear = new Set<string>()
  for (const [id, model] of models) {
    const structure = project.structure.of(model)
    if (structure.status === 'unread') continue
    const { columns, gaps, reads, unknowns, unresolved } = structure
    // a `*` reads columns without naming them
    const passed = columns.flatMap(({ sources }) => sources)
    if ([gaps, unknowns, unresolved].every((list) => list.length === 0)) clear.add(id)
    for (const { column, relation } of [...reads, ...passed]) {
      const owner = idOfRelation(relation)
      if (owner === undefined) continue
      const key = keyOf(owner, column)
      readers.set(key, (readers.get(key) ?? new Set<string>()).add(id))
    }
  }
  const unclear = new Set(lineage.edges.flatMap(({ from, to }) => (clear.has(to) ? [] : [from])))
  return { readers, unclear }
})
