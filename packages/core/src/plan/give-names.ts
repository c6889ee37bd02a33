import { toSnakeCase } from '../naming/tokens.ts'
import type { Column, ColumnConfig, Warning } from '@stagecraft/spec'
import type { ColumnNames, RuledName } from '../naming/column-name.ts'
import { claimNames, isNumbered } from '../naming/unique-names.ts'
import type { Subject } from './subject.ts'

/** A column that competes for a name. */
export interface NamedDraft {
  /** Undefined when the model computes the column. */
  readonly column: Column | undefined
  readonly config: ColumnConfig
  /** Part of the table's own key. */
  readonly isKey: boolean
  readonly names: ColumnNames
}

interface GivenNames {
  /** One per draft. */
  readonly names: readonly RuledName[]
  readonly warnings: readonly Warning[]
}

/** Gives every column of a model a unique name. */
export function giveNames(drafts: readonly NamedDraft[], { columns, item, settings }: Subject): GivenNames {
  const bearers = bearersOf(drafts, columns)
  const wanted = drafts.map((draft) => wantedName(draft, bearers))
  if (!item.names && areDistinct(wanted)) return { names: wanted, warnings: [] }
  const kept = drafts.map((draft) => keptName(draft, item.names))
  const { maxBytes } = settings.dialect.identifiers
  const byRules = claimDrafts(drafts, { wanted, kept: [], maxBytes })
  const isAsKept = kept.every((own, index) => own === undefined || own.name === byRules[index])
  const names = isAsKept ? byRules : claimDrafts(drafts, { wanted, kept, maxBytes })
  const given = new Set(names.map((name) => name.toLowerCase()))
  return {
    names: names.map((name, index) => {
      const best = wanted[index] ?? NAMELESS
      const numbered = name === best.name ? best : { name, rules: [...best.rules, 'numbered'] as const }
      if (name === byRules[index]) return numbered
      const own = kept[index]?.name === name ? kept[index] : undefined
      return own ? { name, rules: [...own.rules, 'kept'] } : numbered
    }),
    warnings: names.flatMap((name, index) => {
      const best = wanted[index]?.name ?? ''
      const isTaken = name !== best && given.has(best.toLowerCase())
      return isTaken ? [collision(drafts[index]?.column, best, name)] : []
    }),
  }
}

/** Returns true if all wanted names are different. */
function areDistinct(wanted: readonly RuledName[]): boolean {
  const names = new Set(wanted.map(({ name }) => name.toLowerCase()))
  return names.size === wanted.length && !names.has('')
}

/**
 * Returns a function for the names of columns in the source. It computes them on first use, because few tables need
 * them.
 */
function bearersOf(drafts: readonly NamedDraft[], columns: Subject['columns']): () => ReadonlySet<string> {
  let bearers: ReadonlySet<string> | undefined
  return () =>
    (bearers ??= new Set([
      ...drafts.map(({ names }) => names.plain),
      ...columns.flatMap(({ field }) => (field ? toSnakeCase(field.of) : [])),
    ]))
}

interface WantedNames {
  readonly wanted: readonly RuledName[]
  /** The names that columns keep: these are assigned before all but configured ones. */
  readonly kept: readonly (RuledName | undefined)[]
  readonly maxBytes: number
}

function claimDrafts(
  drafts: readonly NamedDraft[],
  { kept, maxBytes, wanted }: WantedNames,
): readonly string[] {
  const claims = drafts.map((draft, index) => ({
    candidates: [kept[index]?.name ?? wanted[index]?.name ?? ''],
    rank: kept[index] ? 1 : rankOf(draft),
  }))
  return claimNames(claims, maxBytes).names
}

/** Returns the previous name of a column; undefined if the current rules would never give it that name. */
function keptName(
  { column, config, names }: NamedDraft,
  before: ReadonlyMap<string, string> | undefined,
): RuledName | undefined {
  const name = column && before?.get(column.name)
  if (name === undefined || config.name !== undefined) return undefined
  const candidate = names.candidates.find((one) => one.name === name || isNumbered(name, one.name))
  if (!candidate) return undefined
  return candidate.name === name ? candidate : { name, rules: [...candidate.rules, 'numbered'] }
}

/** Returns the best name, unless a column has it in the source and another candidate exists. */
function wantedName({ names }: NamedDraft, bearers: () => ReadonlySet<string>): RuledName {
  const [best = NAMELESS, other] = names.candidates
  if (!other || names.plain === best.name || !bearers().has(best.name)) return best
  return { name: other.name, rules: [...other.rules, 'borne'] }
}

/** The name of a column without candidates. */
export const NAMELESS: RuledName = { name: '', rules: [] }

/**
 * Returns the rank in which columns choose names: configured names first, then (1) columns that keep a name, then
 * columns that already have the name, then keys, then columns that have it in another spelling, then by order.
 */
function rankOf({ column, config, isKey, names }: NamedDraft): number {
  if (config.name !== undefined) return 0
  if (column?.name.toLowerCase() === names.candidates[0]?.name.toLowerCase()) return 2
  if (isKey) return 3
  return names.plain === names.candidates[0]?.name ? 4 : 5
}

function collision(column: Column | undefined, wanted: string, given: string): Warning {
  const subject = column?.name ?? 'a computed column'
  const message = `${subject} is staged as ${given}, because another column is staged as ${wanted}`
  return { code: 'NAME_COLLISION', message, ...(column && { column: column.name }) }
}
