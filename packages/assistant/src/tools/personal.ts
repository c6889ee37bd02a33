import type { Entry } from '@stagecraft/analysis'
import { isNamedAsPersonal } from '@stagecraft/core/run'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, entryOf, isSame } from '../resources.ts'
import { asNode, type Listed, listedColumns } from './listed.ts'

/** Keys of `meta` that mark personal data. */
const MARKS = ['pii', 'contains_pii', 'is_pii', 'personal', 'sensitive'] as const

/**
 * Returns true for columns that files mark as personal data, or whose names say so, and for relations that are marked or have such
 * a column; undefined if not all columns are known.
 */
export function isPersonal(view: ProjectView, one: Listed): boolean | undefined {
  const marked = markOf(view, one)
  if (marked !== undefined) return marked
  if (one.column) return isNamedAsPersonal(plainName(one.column.owner), one.column.name)
  if (listedColumns(view, [one]).some((column) => isPersonal(view, column) === true)) return true
  return columnsOf(view, asNode(one)).gaps.length > 0 ? undefined : false
}

/** Returns the mark of a column or relation in its `meta` or tags; undefined without one. */
export function markOf(view: ProjectView, { column, ...one }: Listed): boolean | undefined {
  const entry = entryOf(view, asNode(column?.owner ?? one))
  const marked = column ? entry?.entries('columns').find(({ name }) => isSame(name, column.name)) : entry
  const set = column || !one.model ? undefined : view.project.configOf(one.model, 'meta')
  const metas = [...valuesOf(marked, 'meta'), ...(set?.status === 'set' ? [set.value] : [])]
  const marks = metas
    .flatMap((meta) => MARKS.map((key): unknown => Reflect.get(Object(meta), key)))
    .filter((mark) => mark !== undefined && mark !== null)
  const tags = valuesOf(marked, 'tags').flat()
  if (tags.some((tag) => tag === 'pii') || marks.some(isYes)) return true
  return marks.length > 0 ? false : undefined
}

/** `pii: email` names the sort of data. */
function isYes(mark: unknown): boolean {
  return mark !== false && mark !== 0 && !/^(?:false|no|none|off|)$/i.test(String(mark))
}

function valuesOf(entry: Entry | undefined, key: 'meta' | 'tags'): readonly unknown[] {
  return [entry?.get(key), Reflect.get(Object(entry?.get('config')), key) as unknown]
}

/** Without its source. */
function plainName({ kind, name }: Listed): string {
  return kind === 'source' ? name.replace(/^[^.]*\./, '') : name
}
