import type { Warning } from '@stagecraft/spec'
import { claimNames } from '../naming/unique-names.ts'
import { needsQuotes, printIdentifier } from '../sql/identifiers.ts'
import { groupOf, inGroups } from './column-groups.ts'
import { collision } from './column-warnings.ts'
import { type ColumnContext, type Draft, draftColumn, draftDeletedFlag } from './draft-column.ts'
import type { StagedColumn } from './staged-column.ts'
import type { Subject } from './subject.ts'

export interface ColumnDecision {
  readonly columns: readonly StagedColumn[]
  readonly warnings: readonly Warning[]
}

/** Every column of the source, staged or named in a warning, in the order of the model. */
export function planColumns(context: ColumnContext): ColumnDecision {
  const { key, subject } = context
  const all = subject.columns.map((column, index) => draftColumn(column, index + 1, context))
  const drafts = [...all.filter((draft) => 'names' in draft), ...draftDeletedFlag(context)]
  const { names, warnings } = giveNames(drafts, subject)
  const columns = drafts.map((draft, index) => finish(draft, names[index] ?? '', subject))
  return {
    columns: subject.settings.options.columnOrder === 'groups' ? inGroups(columns, key) : columns,
    warnings: [...all.flatMap((draft) => draft.warnings), ...warnings],
  }
}

interface GivenNames {
  /** One per draft. */
  readonly names: readonly string[]
  readonly warnings: readonly Warning[]
}

function giveNames(drafts: readonly Draft[], { settings }: Subject): GivenNames {
  const bearers = new Set(drafts.map(({ names }) => names.plain))
  const claims = drafts.map((draft) => ({ candidates: [wantedName(draft, bearers)], rank: rankOf(draft) }))
  const claimed = claimNames(claims, settings.dialect.identifiers.maxBytes)
  return {
    names: claimed.map(({ name }) => name),
    warnings: claimed.flatMap(({ name, numbered }, index) =>
      numbered ? [collision(drafts[index]?.column, claims[index]?.candidates[0] ?? '', name)] : [],
    ),
  }
}

/** The best name, unless a column bears it in the source and there is another that will do. */
function wantedName({ names }: Draft, bearers: ReadonlySet<string>): string {
  const [best = '', other] = names.candidates
  const isBorne = bearers.has(best) && names.plain !== best
  return isBorne && other !== undefined ? other : best
}

/**
 * Returns the rank in which columns choose names: configured names first, then columns that already have the
 * name, then keys, then by order.
 */
function rankOf({ column, config, isKey, names }: Draft): number {
  if (config.name !== undefined) return 0
  if (column?.name.toLowerCase() === names.candidates[0]?.toLowerCase()) return 1
  return isKey ? 2 : 3
}

function finish(draft: Draft, name: string, { settings }: Subject): StagedColumn {
  const { change, column, config, dataType, expression, family, isMetadata, isReference, ordinal } = draft
  const { dialect } = settings
  // Plain names stand in lower case everywhere, so that folding to upper case does not ask for quotes.
  const isPlain = dialect.identifiers.folds === 'upper' && name === name.toLowerCase()
  const quoted = needsQuotes(isPlain ? name.toUpperCase() : name, dialect)
  return {
    column,
    ordinal,
    config,
    isMetadata,
    change,
    expression,
    family,
    dataType,
    name,
    alias: quoted ? printIdentifier(name, dialect) : name,
    quoted,
    group: groupOf({ family, isMetadata, name }, isReference),
  }
}
