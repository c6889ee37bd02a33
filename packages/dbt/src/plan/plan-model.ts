import { hashText } from '../lock/hashes.ts'
import type { LockedTable } from '../lock/lock.ts'
import type { Settlement, ThreeTexts } from '../merge/line-merge.ts'
import { mergeSql } from '../merge/merge-sql.ts'
import { sameTokens } from '../merge/same-tokens.ts'
import { compareName, fold } from '../merge/output-name.ts'
import { renameReads } from '../merge/rename-reads.ts'
import { renameSource, type SourceRead } from '../merge/rename-source.ts'
import { scanSql, type SqlSyntax } from '../merge/scan-sql.ts'
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
  /** Raw columns that have another name now, by their former names. @default none */
  readonly renames?: ReadonlyMap<string, string>
  /** Columns that are generated under another name since a raw column was renamed, by their former names. @default none */
  readonly renamedColumns?: ReadonlyMap<string, string>
  /** The names by which it read its table so far, and those of now. @default it has the names of now */
  readonly source?: { readonly from: SourceRead; readonly to: SourceRead } | undefined
  /** A person wrote or moved it: it keeps the names of its columns, also those that were generated. @default false */
  readonly byHand?: boolean
  /** The table of the lock that the file is the model of, where that is another one. @default none */
  readonly modelOf?: string | undefined
  /** False if the text of then is not kept, and other rules than today's generated it. @default true */
  readonly isBaseKnown?: boolean
}

export interface MergeRules {
  readonly syntax: SqlSyntax
  /** The way to settle conflicts. @default they stay conflicts */
  readonly settlement: Settlement | undefined
}

/** Plans the SQL file of a model. */
export function planModel(input: ModelInput, { settlement, syntax }: MergeRules): PlannedFile {
  const { byHand = false, isAdopted = false, isBaseKnown = true, locked, name, path, present, wanted } = input
  const file = { path, before: present, after: present, covers: [name], conflicts: [], notes: [] }
  if (present === undefined)
    return {
      ...file,
      action: 'create',
      after: wanted,
      notes: locked?.model.path === path ? ['it was there before; stagecraft forget stops that'] : [],
    }
  if (present === wanted || isAdopted) return { ...file, action: 'unchanged' }
  if (!locked)
    return {
      ...file,
      action: 'foreign',
      notes: [
        input.modelOf === undefined
          ? `a person wrote it; stagecraft adopt ${path} has it follow its table`
          : `it is the model of ${input.modelOf}; give this table another one in stagecraft.yml (sources: … tables: … model:)`,
      ],
    }
  const keepsNames = byHand && (input.renames?.size ?? 0) > 0
  if (hashText(present) === locked.model.sha256 && !keepsNames)
    return { ...file, action: 'update', after: wanted }
  const inSource = (text: string): string => (input.source ? renameSource(text, input.source, syntax) : text)
  const own = { ...input, base: inSource(input.base), present: inSource(present) }
  const texts = withRenamedReads(own, syntax)
  const isFormatted = sameTokens(own.base, own.present, syntax)
  const { conflicts, text } = mergeSql(texts, { syntax, settlement: settlement ?? 'ours' })
  const notes = isBaseKnown || isFormatted ? [] : [BASE_UNKNOWN]
  if (conflicts.length > 0 && settlement === undefined) {
    const marked = mergeSql(texts, { syntax, settlement: 'markers' }).text
    return { ...file, action: 'conflict', conflicts, marked, notes }
  }
  if (text !== present)
    return { ...file, action: isFormatted && !keepsNames ? 'update' : 'merge', after: text, conflicts, notes }
  return {
    ...file,
    action: 'unchanged',
    notes: sameTokens(wanted, present, syntax) ? [] : ['edited by hand', ...notes],
  }
}

const BASE_UNKNOWN =
  'changes of the configuration since it was generated are not merged, because the text of then is not on this machine'

/**
 * Raw columns that were renamed are read by their new names; a person's file goes on selecting them by the names that it has,
 * so that the new names of generated columns change nothing in it.
 */
function withRenamedReads(
  {
    base,
    byHand = false,
    present,
    renamedColumns = new Map(),
    renames = new Map(),
    wanted,
  }: ModelInput & { readonly present: string },
  syntax: SqlSyntax,
): ThreeTexts {
  if (renames.size === 0) return { base, present, wanted }
  const columns = spelledRenames(renames, wanted, syntax)
  const keepsNames = byHand || !sameTokens(base, present, syntax)
  const names = new Map([...renamedColumns].map(([was, is]) => [fold(was, syntax), is] as const))
  return {
    base: renameReads(base, { columns, keepsNames: false, syntax, ...(keepsNames && { names }) }),
    present: renameReads(present, { columns, keepsNames, syntax }),
    wanted,
  }
}

/** The new names as generated SQL spells them, by the former ones as names are compared. */
export function spelledRenames(
  renames: ReadonlyMap<string, string>,
  wanted: string,
  syntax: SqlSyntax,
): ReadonlyMap<string, string> {
  const spelled = new Map(
    scanSql(wanted, syntax)
      .filter(({ kind }) => kind === 'word' || kind === 'name')
      .map((token) => [compareName(token, syntax), token.text] as const),
  )
  return new Map(
    [...renames].map(([was, is]) => [fold(was, syntax), spelled.get(fold(is, syntax)) ?? is] as const),
  )
}

export interface OrphanRules {
  /** As today's rules generate it. */
  readonly base: string | undefined
  readonly prune: boolean
  /** Files of other models that read it. @default none does */
  readonly readers?: readonly string[]
  readonly syntax: SqlSyntax
}

/**
 * Plans the SQL file of a model whose table is gone: it is removed when that is asked for, nobody changed it, and no other
 * model reads it.
 */
export function planOrphan(
  { locked, present }: { readonly locked: LockedTable; readonly present: string | undefined },
  { base, prune, readers = [], syntax }: OrphanRules,
): PlannedFile | undefined {
  if (present === undefined) return undefined
  const { name, path, sha256 } = locked.model
  const isOurs = hashText(present) === sha256 || (base !== undefined && sameTokens(base, present, syntax))
  const file = { path, action: 'orphan', before: present, covers: [name], conflicts: [] } as const
  if (!isOurs) return { ...file, after: present, notes: ['edited by hand, so it is not removed'] }
  if (readers.length > 0) {
    const read = `${readers.join(', ')} ${readers.length === 1 ? 'reads' : 'read'} it`
    const notes = [
      prune ? `${read}, so it is not removed` : `--prune removes it once nothing reads it: ${read}`,
    ]
    return { ...file, after: present, readers, notes }
  }
  return { ...file, after: prune ? undefined : present, notes: prune ? [] : ['--prune removes it'] }
}
