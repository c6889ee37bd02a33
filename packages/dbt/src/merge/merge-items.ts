import { aliased, namesRead } from './output-name.ts'
import { canonicalToken } from './same-tokens.ts'
import { isCode, type SqlSyntax } from './scan-sql.ts'
import type { SelectItem, SelectList } from './select-list.ts'

/** A change of a person's list that follows a change of the generated one. */
export type ItemChange =
  /** The item has another spelling if the person's select needs it: `o.note`. */
  | { readonly kind: 'add'; readonly item: SelectItem; readonly spelled?: SelectItem }
  | { readonly kind: 'remove'; readonly present: SelectItem; readonly base: SelectItem }
  | { readonly kind: 'replace'; readonly present: SelectItem; readonly item: SelectItem }
  /** Takes only the alias of `item`. */
  | { readonly kind: 'rename'; readonly present: SelectItem; readonly item: SelectItem }

/** A column that a person and generation changed differently. */
export interface ItemConflict {
  readonly column: string
  readonly reason: 'both_changed' | 'removed_but_changed'
  /** The person's text. */
  readonly present: SelectItem
  /** The text as generated before. */
  readonly base: SelectItem
  /** The text as generated now; undefined if it is gone. */
  readonly wanted: SelectItem | undefined
}

export interface ItemMerge {
  /** In the order of application. */
  readonly changes: readonly ItemChange[]
  readonly conflicts: readonly ItemConflict[]
}

export interface ThreeLists {
  /** The text as generated before. */
  readonly base: SelectList
  /** The text in the file. */
  readonly present: SelectList
  /** The text as generated now. */
  readonly wanted: SelectList
}

/**
 * Merges column by column: if only one side changed a column, that side wins. Columns that a person removed stay
 * removed, and columns that a person added stay. Undefined if names of columns are ambiguous.
 */
export function mergeItems(lists: ThreeLists, syntax: SqlSyntax): ItemMerge | undefined {
  const base = index(lists.base, syntax)
  const present = index(lists.present, syntax)
  const wanted = index(lists.wanted, syntax)
  if (!base || !present || !wanted) return undefined
  const sides: Sides = { base, present, wanted, syntax, spell: (item) => spellItems(item, syntax) }
  const decisions = [
    ...[...base.keys()].map((name) => decideKnown(name, sides)),
    ...[...wanted.keys()].map((name) => decideNew(name, sides)),
  ]
  const changes = decisions.flatMap((decision) => (decision && 'kind' in decision ? decision : []))
  return {
    // removals come last: the item may be the only neighbour, or the only item
    changes: [
      ...changes.filter(({ kind }) => kind !== 'remove'),
      ...changes.filter(({ kind }) => kind === 'remove'),
    ],
    conflicts: decisions.flatMap((decision) => (decision && 'reason' in decision ? decision : [])),
  }
}

type Index = ReadonlyMap<string, SelectItem>

interface Sides {
  readonly base: Index
  readonly present: Index
  readonly wanted: Index
  readonly syntax: SqlSyntax
  readonly spell: (item: SelectItem | undefined) => string | undefined
}

type Decision = ItemChange | ItemConflict | undefined

/** Indexes items by name, or by text without one. Undefined if two are equal. */
function index({ items }: SelectList, syntax: SqlSyntax): Index | undefined {
  const byName = new Map(items.map((item) => [item.name ?? `\0${spellItems(item, syntax)}`, item]))
  return byName.size === items.length && items.length > 0 ? byName : undefined
}

function spellItems(item: SelectItem | undefined, syntax: SqlSyntax): string | undefined {
  return item?.tokens
    .filter(({ kind }) => kind !== 'blank')
    .map((token) => canonicalToken(token, syntax))
    .join(' ')
}

/** Decides about a column that was generated before. */
function decideKnown(name: string, sides: Sides): Decision {
  const { spell } = sides
  const base = sides.base.get(name)
  const present = sides.present.get(name)
  const wanted = sides.wanted.get(name) ?? renamedTo(base, sides)
  if (!base || spell(wanted) === spell(base)) return undefined
  if (!present) return decideAbsent(base, wanted, sides)
  if (spell(present) === spell(wanted)) return undefined
  if (spell(present) === spell(base))
    return wanted ? { kind: 'replace', present, item: wanted } : { kind: 'remove', present, base }
  if (wanted && isRenamed({ base, wanted }, sides)) return { kind: 'rename', present, item: wanted }
  return { column: name, reason: wanted ? 'both_changed' : 'removed_but_changed', present, base, wanted }
}

/** Returns true if generation only gave a column another name, which no column of the person has. */
function isRenamed(
  { base, wanted }: { readonly base: SelectItem; readonly wanted: SelectItem },
  { present, syntax }: Sides,
): boolean {
  const { name } = wanted
  const isFree = name !== undefined && name !== base.name && !present.has(name)
  return isFree && selectsSame(wanted, base, syntax)
}

/** Decides about a column that the person removed or gave another name. */
function decideAbsent(base: SelectItem, wanted: SelectItem | undefined, sides: Sides): Decision {
  const own = [...sides.present].filter(([name]) => !sides.base.has(name)).map(([, item]) => item)
  const renamed = own.find((item) => selectsSame(item, base, sides.syntax))
  const reader = renamed ?? own.find((item) => readsSame(item, base, sides))
  if (!reader || (wanted && selectsSame(wanted, base, sides.syntax))) return undefined
  const reason = wanted ? 'both_changed' : 'removed_but_changed'
  return { column: reader.name ?? base.name ?? '', reason, present: reader, base, wanted }
}

/** Decides about a column that was not generated before. */
function decideNew(name: string, sides: Sides): Decision {
  const item = sides.wanted.get(name)
  if (!item || sides.base.has(name) || sides.present.has(name)) return undefined
  if ([...sides.base.values()].some((base) => renamedTo(base, sides) === item)) return undefined
  const own = [...sides.present].filter(([own]) => !sides.base.has(own)).map(([, present]) => present)
  const isThere = own.some((present) => selectsSame(present, item, sides.syntax))
  return isThere ? undefined : { kind: 'add', item }
}

/** Finds the item generated now for a column that generation itself renamed: it reads the same. */
function renamedTo(
  base: SelectItem | undefined,
  { syntax, base: before, wanted }: Sides,
): SelectItem | undefined {
  if (!base || (base.name !== undefined && wanted.has(base.name))) return undefined
  const candidates = [...wanted].filter(([name]) => !before.has(name)).map(([, item]) => item)
  const same = candidates.find((item) => selectsSame(item, base, syntax))
  if (same) return same
  // one that has another conversion too
  const read = [...readBy(base, syntax)]
  const [reader, ...others] = candidates.filter((item) => {
    const own = readBy(item, syntax)
    return read.length > 0 && read.every((name) => own.has(name))
  })
  const isReadElsewhere = [...before.values()].some(
    (other) => other !== base && read.every((name) => readBy(other, syntax).has(name)),
  )
  return others.length === 0 && !isReadElsewhere ? reader : undefined
}

function readBy(item: SelectItem, syntax: SqlSyntax): ReadonlySet<string> {
  return namesRead(item.tokens.filter(isCode), syntax)
}

/** Returns true if an item reads everything that another one reads, and no generated item reads it now. */
function readsSame(item: SelectItem, base: SelectItem, { syntax, wanted }: Sides): boolean {
  const read = namesRead(item.tokens.filter(isCode), syntax)
  const needed = [...namesRead(base.tokens.filter(isCode), syntax)]
  const used = new Set(
    [...wanted.values()].flatMap((other) => [...namesRead(other.tokens.filter(isCode), syntax)]),
  )
  const gone = needed.filter((name) => !used.has(name))
  return gone.length > 0 && gone.every((name) => read.has(name))
}

/** Returns true if two items select the same value, under any names. */
export function selectsSame(a: SelectItem, b: SelectItem, syntax: SqlSyntax): boolean {
  return withoutAlias(a, syntax) === withoutAlias(b, syntax)
}

/** The expression alone, in canonical spelling and without the table's name before it. */
function withoutAlias(item: SelectItem, syntax: SqlSyntax): string {
  const code = item.tokens.filter(isCode)
  const isAs = code.at(-2)?.kind === 'word' && code.at(-2)?.text.toLowerCase() === 'as'
  const expression = aliased(code) && item.name !== undefined ? code.slice(0, isAs ? -2 : -1) : code
  const plain = expression.length === 3 && expression[1]?.text === '.' ? expression.slice(2) : expression
  return plain.map((token) => canonicalToken(token, syntax)).join(' ')
}
