import type { ProjectView } from '../project-view.ts'
import type { Listed } from './listed.ts'

/** The facts whose values are relations: those that are read, and the readers; directly or not. */
const RELATIVES = new Set<string | undefined>(['reads', 'upstream', 'readby', 'downstream'])

export function isOfRelatives(fact: string | undefined): boolean {
  return RELATIVES.has(fact)
}

/** Stands for relations that are only known when dbt runs. */
export const UNKNOWN_RELATIVES = '…'

/** The end of reads that is followed: `from` leads to what is read, `to` to the readers. */
export type Side = 'from' | 'to'

/** Returns ids, kinds and sources of the direct relatives of a relation, or of all of them. */
export function relativesOf(
  { lineage }: ProjectView,
  { id }: Listed,
  { isDirect, side }: { readonly side: Side; readonly isDirect: boolean },
): readonly string[] {
  const steps = Map.groupBy(lineage.edges, (edge) => edge[side === 'from' ? 'to' : 'from'])
  const found = new Set<string>()
  const open = [id]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { [side]: next } of steps.get(at) ?? []) {
      if (!found.has(next) && !isDirect) open.push(next)
      found.add(next)
    }
  const dynamic = lineage.gaps.filter(({ reason }) => reason.startsWith('some of its references'))
  const readers = new Set([id, ...(isDirect ? [] : found)])
  const isPartial = dynamic.some((gap) => side === 'to' || readers.has(gap.id))
  return [...namesOf(found), ...(isPartial ? [UNKNOWN_RELATIVES] : [])]
}

/** Returns ids with their kinds and sources: `source.shop.orders` is a source table, and one of the source `shop`. */
export function namesOf(ids: Iterable<string>): readonly string[] {
  const names = [...ids].flatMap((id) => {
    const [kind = '', source = ''] = id.split('.')
    return kind === 'source' ? [id, kind, `${kind}.${source}`] : [id, kind]
  })
  return [...new Set(names)]
}
