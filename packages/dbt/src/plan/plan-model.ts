import { hashText } from '../lock/hashes.ts'
import type { LockedTable } from '../lock/lock.ts'
import type { Settlement } from '../merge/line-merge.ts'
import { mergeSql } from '../merge/merge-sql.ts'
import { sameTokens } from '../merge/same-tokens.ts'
import type { SqlSyntax } from '../merge/scan-sql.ts'
import type { PlannedFile } from './plan-types.ts'

/** The model of a table: what is there, what was generated, and what is generated now. */
export interface ModelInput {
  readonly path: string
  readonly name: string
  readonly present: string | undefined
  readonly wanted: string
  /** The record of the table in the lock; undefined if it was never generated. */
  readonly locked: LockedTable | undefined
  /** The text as it was generated last; where nothing keeps it, as today's rules generate it from the table of then. */
  readonly base: string
  /** The person's text counts as the model of the table from now on, and is left as it is. @default false */
  readonly isAdopted?: boolean
}

export interface MergeRules {
  readonly syntax: SqlSyntax
  /** The way to settle conflicts. @default they stay conflicts */
  readonly settlement: Settlement | undefined
}

/** Plans the SQL file of a model. */
export function planModel(input: ModelInput, { settlement, syntax }: MergeRules): PlannedFile {
  const { base, isAdopted = false, locked, name, path, present, wanted } = input
  const file = { path, before: present, after: present, covers: [name], conflicts: [], notes: [] }
  if (present === undefined)
    return {
      ...file,
      action: 'create',
      after: wanted,
      notes: locked ? ['it was there before; stagecraft forget stops that'] : [],
    }
  if (present === wanted || isAdopted) return { ...file, action: 'unchanged' }
  if (!locked)
    return {
      ...file,
      action: 'foreign',
      notes: [`a person wrote it; stagecraft adopt ${path} has it follow its table`],
    }
  if (hashText(present) === locked.model.sha256) return { ...file, action: 'update', after: wanted }
  const { conflicts, text } = mergeSql(
    { base, present, wanted },
    { syntax, settlement: settlement ?? 'ours' },
  )
  if (conflicts.length > 0 && settlement === undefined)
    return { ...file, action: 'conflict', conflicts, generated: wanted }
  if (text !== present)
    return { ...file, action: sameTokens(base, present, syntax) ? 'update' : 'merge', after: text, conflicts }
  return {
    ...file,
    action: 'unchanged',
    notes: sameTokens(wanted, present, syntax) ? [] : ['edited by hand'],
  }
}

/** Plans the SQL file of a model whose table is gone: it is removed when that is asked for and nobody changed it. */
export function planOrphan(
  { locked, present }: { readonly locked: LockedTable; readonly present: string | undefined },
  {
    base,
    prune,
    syntax,
  }: { readonly base: string | undefined; readonly prune: boolean; readonly syntax: SqlSyntax },
): PlannedFile | undefined {
  if (present === undefined) return undefined
  const { name, path, sha256 } = locked.model
  const isOurs = hashText(present) === sha256 || (base !== undefined && sameTokens(base, present, syntax))
  const file = { path, action: 'orphan', before: present, covers: [name], conflicts: [] } as const
  if (!isOurs) return { ...file, after: present, notes: ['edited by hand, so it is not removed'] }
  return { ...file, after: prune ? undefined : present, notes: prune ? [] : ['--prune removes it'] }
}
