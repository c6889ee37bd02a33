import { applyEdits, type TextEdit } from '../merge/edit-list.ts'
import type { FinalColumn } from '../merge/final-columns.ts'
import type { ThreeTexts } from '../merge/line-merge.ts'
import { readStyle } from '../merge/list-style.ts'
import { findMainList } from '../merge/main-list.ts'
import { selectsSame } from '../merge/merge-items.ts'
import { fold } from '../merge/output-name.ts'
import { renameItem, spelledAlias } from '../merge/rename-item.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import { selectedColumns } from './selected-names.ts'

export interface KeptNames {
  /** Staged names that the configuration gives to single columns. */
  readonly configured: ReadonlySet<string>
  /** The columns of the raw table. */
  readonly raw: readonly string[]
}

export interface KeptAliases {
  readonly texts: ThreeTexts
  /** The kept names with those of the configuration. */
  readonly kept: readonly { readonly name: string; readonly configured: string }[]
}

/**
 * Makes the columns of a person's model keep their names when a rule of the configuration gives them others. A name for a
 * single column is a decision about it, so it is taken even in place of a person's alias.
 */
export function keepAliases(
  { base, present, wanted }: ThreeTexts,
  { configured, raw }: KeptNames,
  syntax: SqlSyntax,
): KeptAliases {
  const now = selectedColumns({ generated: wanted, final: base, raw }, syntax)
  const there = selectedColumns({ generated: base, final: present, raw }, syntax)
  const fixed = new Set([...configured].map((name) => fold(name, syntax)))
  const names = new Set([...(now?.columns.keys() ?? [])].map(({ name }) => name))
  const renamed = [...(now?.columns ?? [])].flatMap(([column, former]) =>
    former && former.name !== column.name ? [{ column, former }] : [],
  )
  const kept = renamed.filter(({ column, former }) => !fixed.has(column.name) && !names.has(former.name))
  const ownName = ({ name }: FinalColumn): FinalColumn | undefined =>
    [...(there?.columns ?? [])].find(([column]) => column.name === name)?.[1]
  const own = renamed.flatMap(({ column, former }) => {
    const found = ownName(former)
    return found && fixed.has(column.name) ? [{ column: former, former: found }] : []
  })
  return {
    texts: { base: withAliases(base, own, syntax), present, wanted: withAliases(wanted, kept, syntax) },
    kept: kept
      .filter(({ former }) => ownName(former)?.name === former.name)
      .map(({ column, former }) => ({ name: former.name, configured: column.name })),
  }
}

interface Renamed {
  readonly column: FinalColumn
  readonly former: FinalColumn
}

/** Gives columns of a text the names of other columns. */
function withAliases(text: string, renamed: readonly Renamed[], syntax: SqlSyntax): string {
  const list = renamed.length > 0 ? findMainList(text, syntax) : undefined
  if (!list) return text
  const { as } = readStyle(text, list)
  const edits = renamed.flatMap(({ column, former }): readonly TextEdit[] => {
    const item = list.items.find(({ name }) => name === column.name)
    if (!item) return []
    const same = former.items.find((one) => one.name === former.name && selectsSame(one, item, syntax))
    const alias = renameItem(item, spelledAlias(former.items[0]), as)
    return [{ start: item.start, end: item.end, text: same?.text ?? alias }]
  })
  return applyEdits(text, edits)
}
