import { hashText } from '../lock/hashes.ts'
import type { LockedTable } from '../lock/lock.ts'
import type { Settlement, ThreeTexts } from '../merge/line-merge.ts'
import { finalColumns } from '../merge/final-columns.ts'
import { findMarkers } from '../merge/conflict-markers.ts'
import { findMainList } from '../merge/main-list.ts'
import { mergeSql } from '../merge/merge-sql.ts'
import { sameTokens } from '../merge/same-tokens.ts'
import { compareName, fold } from '../merge/output-name.ts'
import { type KeptAliases, keepAliases, type KeptNames } from './keep-aliases.ts'
import { renameReads } from '../merge/rename-reads.ts'
import { renameSource, type SourceRead } from '../merge/rename-source.ts'
import { scanSql, type SqlSyntax } from '../merge/scan-sql.ts'
import type { PlannedFile } from './plan-types.ts'
import { type ReadingPlace, printReaders } from './project-view.ts'

/** The model of a table: the present text, the one generated before, and the one generated now. */
export interface ModelInput {
  readonly path: string
  readonly name: string
  readonly present: string | undefined
  readonly wanted: string
  /** The line of the lock; undefined if the table was never generated. */
  readonly locked: LockedTable | undefined
  /** The text of the last generation; if it was not kept, the output of today's rules for the former table. */
  readonly base: string
  /** Adopts the person's text as the model of the table, unchanged. @default false */
  readonly isAdopted?: boolean
  /** Renamed raw columns, by former name. @default none */
  readonly renames?: ReadonlyMap<string, string>
  /** Generated columns renamed with a raw column, by former name. @default none */
  readonly renamedColumns?: ReadonlyMap<string, string>
  /** The former and the current names of its table. @default current names */
  readonly source?: { readonly from: SourceRead; readonly to: SourceRead } | undefined
  /** True if a person wrote or moved it: it keeps the names of its columns, including generated ones. @default false */
  readonly byHand?: boolean
  /** The columns whose names the configuration may change in a model that a person wrote. @default none */
  readonly names?: KeptNames
  /** The other table in the lock that owns the file. @default none */
  readonly modelOf?: string | undefined
  /** False if the former text was not kept, and other rules generated it. @default true */
  readonly isBaseKnown?: boolean
}

export interface MergeRules {
  readonly syntax: SqlSyntax
  /** The way to resolve conflicts. @default they stay conflicts */
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
      notes: locked?.model.path === path ? ['it existed before; stagecraft forget stops that'] : [],
    }
  if (present === wanted || isAdopted) return { ...file, action: 'unchanged' }
  if (!locked)
    return {
      ...file,
      action: 'foreign',
      notes: [
        input.modelOf === undefined
          ? `a person wrote it; stagecraft adopt ${path} has it follow its table`
          : `it is the model of ${input.modelOf}; choose another model name for this table in stagecraft.yml (sources: … tables: … model:), or if it is the same table, run stagecraft forget ${input.modelOf} and stagecraft adopt ${path}`,
      ],
    }
  const keepsNames = byHand && (input.renames?.size ?? 0) > 0
  const markers = findMarkers(present)
  if (markers !== undefined)
    return { ...file, action: 'conflict', conflicts: [{ kind: 'markers', line: markers, keep: 'one side' }] }
  if (hashText(present) === locked.model.sha256 && !keepsNames)
    return { ...file, action: 'update', after: wanted }
  const inSource = (text: string): string => (input.source ? renameSource(text, input.source, syntax) : text)
  const own = { ...input, base: inSource(input.base), present: inSource(present) }
  const read = withRenamedReads(own, syntax)
  const names = input.names ?? { configured: new Set<string>(), raw: [] }
  const { kept, texts } = byHand ? keepAliases(read, names, syntax) : { kept: [], texts: read }
  const isFormatted = sameTokens(own.base, own.present, syntax)
  const { conflicts, text } = mergeSql(texts, { syntax, settlement: settlement ?? 'ours' })
  const held = notPassedOn(text, own.present, syntax)
  const notes = [
    ...(isBaseKnown || isFormatted ? [] : [BASE_UNKNOWN]),
    ...(kept.length > 0 ? [describeKept(kept)] : []),
    ...(held.length > 0
      ? [`the last select does not name the new ${held.join(', ')}; add it there too`]
      : []),
  ]
  if (conflicts.length > 0 && settlement === undefined) {
    const marked = mergeSql(texts, { syntax, settlement: 'markers' }).text
    return { ...file, action: 'conflict', conflicts, marked, notes }
  }
  const said = [EDITED_BY_HAND, ...notes]
  if (text === present)
    return { ...file, action: 'unchanged', notes: sameTokens(wanted, present, syntax) ? [] : said }
  const merged = { ...file, after: text, conflicts, notes: isFormatted ? notes : said }
  return { ...merged, action: isFormatted && !keepsNames ? 'update' : 'merge' }
}

/** Returns columns that are new in the select of all columns, and that the last select of the model leaves out. */
function notPassedOn(text: string, before: string, syntax: SqlSyntax): readonly string[] {
  const [was, is] = [before, text].map((one) =>
    (findMainList(one, syntax)?.items ?? []).flatMap(({ name }) => name ?? []),
  )
  const added = (is ?? []).filter((name) => was?.includes(name) === false)
  const found = added.length > 0 ? finalColumns(text, syntax) : undefined
  if (!found || found.isOpen) return []
  const names = new Set(found.columns.flatMap(({ items }) => items.flatMap(({ name }) => name ?? [])))
  return added.filter((name) => !names.has(name))
}

/** The note of a model that a person edited. */
export const EDITED_BY_HAND = 'edited by hand'

/** Says which columns keep their names, and how to change them. */
function describeKept(kept: KeptAliases['kept']): string {
  const shown = kept.slice(0, 3).map(({ configured, name }) => `${name} (not ${configured})`)
  const more = kept.length > shown.length ? ` and ${kept.length - shown.length} more` : ''
  return `a person wrote or moved it, so its columns keep their names: ${shown.join(', ')}${more}; a name under sources: … tables: … columns: changes one`
}

const BASE_UNKNOWN =
  'configuration changes since it was generated are not merged, because its generated text is not on this machine'

/**
 * Reads renamed raw columns by their new names. A person's file keeps its own column names, so new names of generated
 * columns do not change it.
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

/** Returns new names as spelled in generated SQL, by former name. */
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
  /** The text from today's rules. */
  readonly base: string | undefined
  readonly prune: boolean
  /** The places that read it. @default none */
  readonly readers?: readonly ReadingPlace[]
  readonly syntax: SqlSyntax
}

/**
 * Plans the SQL file of a deleted table's model: it is removed if pruning was requested, it is unchanged, and no
 * other model reads it.
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
    const read = `${printReaders(readers)} it`
    const notes = [
      prune ? `${read}, so it is not removed` : `--prune removes it once nothing reads it: ${read}`,
    ]
    return { ...file, after: present, readers: readers.map((reader) => reader.path), notes }
  }
  return { ...file, after: prune ? undefined : present, notes: prune ? [] : ['--prune removes it'] }
}
