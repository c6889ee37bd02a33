import { addAfter, addBefore, applyEdits, type Listed, removeItem, type TextEdit } from './edit-list.ts'
import { lineStart, type ListStyle, readStyle, spellItem } from './list-style.ts'
import { fitAdditions, type Obstacle, type RefusedItem } from './fit-additions.ts'
import { type LineConflict, mergeLines, type Settlement, type ThreeTexts } from './line-merge.ts'
import { type ItemChange, type ItemConflict, type ItemMerge, mergeItems, selectsSame } from './merge-items.ts'
import { type MarkedItem, markItems } from './mark-items.ts'
import { renameItem, spelledAlias } from './rename-item.ts'
import { canonicalToken, sameTokens, tokenStream } from './same-tokens.ts'
import type { SqlSyntax } from './scan-sql.ts'
import { findMainList } from './main-list.ts'
import type { SelectItem, SelectList } from './select-list.ts'

/** A part that both a person and generation changed, so a person must decide. */
export type MergeConflict =
  | {
      readonly kind: 'column'
      readonly column: string
      readonly reason: ItemConflict['reason']
      /** The item of the select list: the person's, the one generated before, and the one generated now. */
      readonly present: string
      readonly base: string
      readonly wanted: string | undefined
    }
  /** A new column cannot be added to the select at `line`. */
  | {
      readonly kind: 'addition'
      readonly column: string
      readonly obstacle: Obstacle
      readonly line: number
      readonly wanted: string
    }
  | ({ readonly kind: 'lines' } & LineConflict)

export interface SqlMerge {
  /** The text to write, with every conflict resolved as requested; by default with the person's text. */
  readonly text: string
  readonly conflicts: readonly MergeConflict[]
}

export interface MergeOptions {
  /** The lexical rules of the SQL. */
  readonly syntax: SqlSyntax
  /** The way to resolve conflicts in the text. @default 'ours' */
  readonly settlement?: Settlement
}

/**
 * Brings a change of generation into a model that a person changed. The select list is merged column by column, all else
 * line by line. What only a formatter changed counts as unchanged, and stays formatted.
 */
export function mergeSql(texts: ThreeTexts, { settlement = 'ours', syntax }: MergeOptions): SqlMerge {
  const { base, present, wanted } = texts
  if (sameTokens(base, wanted, syntax) || sameTokens(present, wanted, syntax))
    return { text: present, conflicts: [] }
  const merged = mergeByList(texts, syntax, settlement)
  if (merged && (merged.conflicts.length === 0 || !sameTokens(base, present, syntax))) return merged
  if (sameTokens(base, present, syntax)) return { text: wanted, conflicts: [] }
  const { conflicts, text } = mergeLines(texts, settlement)
  return { text, conflicts: conflicts.map((conflict) => ({ kind: 'lines', ...conflict })) }
}

/** Undefined when the lists cannot be told, or an edit would not mean what it should. */
function mergeByList(texts: ThreeTexts, syntax: SqlSyntax, settlement: Settlement): SqlMerge | undefined {
  const wanted = findMainList(texts.wanted, syntax)
  const base = findMainList(texts.base, syntax, wanted?.cte)
  const present = findMainList(texts.present, syntax, base?.cte)
  if (!base || !present || !wanted) return undefined
  const merge = mergeItems({ base, present, wanted }, syntax)
  if (!merge) return undefined
  const { changes, refused } = fitAdditions(merge.changes, texts, { base, present, wanted }, syntax)
  const own = { ...merge, changes: settlement === 'theirs' ? merge.changes : changes }
  const cte = present.cte ?? base.cte
  const listed = changeList(texts, { merge: own, refused, wanted, settlement, syntax, cte })
  if (listed === undefined) return undefined
  const line = texts.present.slice(0, present.start).split('\n').length
  const conflicts = [
    ...merge.conflicts.map(toConflict),
    ...refused.map(({ item, obstacle }): MergeConflict => {
      const column = item.name ?? item.text
      return { kind: 'addition', column, obstacle, line, wanted: item.text }
    }),
  ]
  const rest = mergeAround({ ...texts, present: listed }, { base, wanted }, syntax, settlement)
  return rest && { text: rest.text, conflicts: [...conflicts, ...rest.conflicts] }
}

function toConflict({ base, column, present, reason, wanted }: ItemConflict): MergeConflict {
  return { kind: 'column', column, reason, present: present.text, base: base.text, wanted: wanted?.text }
}

interface Changing {
  readonly merge: ItemMerge
  readonly refused: readonly RefusedItem[]
  readonly wanted: SelectList
  readonly settlement: Settlement
  readonly syntax: SqlSyntax
  /** The common table expression that has the person's list. */
  readonly cte: string | undefined
}

/** Applies the changes one by one, and resolves conflicts. */
function changeList({ present, wanted: wantedText }: ThreeTexts, changing: Changing): string | undefined {
  const { cte, merge, syntax, wanted } = changing
  const wantedStyle = readStyle(wantedText, wanted)
  let text = present
  for (const change of merge.changes) {
    const list = findMainList(text, syntax, cte)
    if (!list) return undefined
    const listed = { text, list, style: readStyle(text, list, wantedStyle) }
    const edits = editsOf(change, listed, { wanted, wantedText, wantedStyle, syntax })
    const next = edits && applyEdits(text, edits)
    if (next === undefined || !isAsMeant({ before: text, after: next }, change, wanted, syntax))
      return undefined
    text = next
  }
  return resolveItems(text, { ...changing, wantedStyle, wantedText })
}

interface Wanted {
  readonly wanted: SelectList
  readonly wantedText: string
  readonly wantedStyle: ListStyle
  readonly syntax: SqlSyntax
}

function editsOf(change: ItemChange, listed: Listed, wanted: Wanted): readonly TextEdit[] | undefined {
  const find = ({ name, text }: SelectItem): SelectItem | undefined =>
    listed.list.items.find((item) => (name === undefined ? item.text === text : item.name === name))
  if (change.kind === 'add') return addItem(change, listed, wanted)
  const present = find(change.present)
  if (!present) return undefined
  if (change.kind === 'remove') {
    if (listed.list.items.length < 2) return undefined
    return [...removeItem(present, listed), ...cutHeaders(present, change.base, listed)]
  }
  const text =
    change.kind === 'rename'
      ? renameItem(present, spelledAlias(change.item), listed.style.as)
      : spelled(change.item, listed, wanted)
  return [{ start: present.start, end: present.end, text }]
}

/** Removes the generated comments of a group together with its last column. */
function cutHeaders(
  item: SelectItem,
  base: SelectItem,
  { list: { items }, text }: Listed,
): readonly TextEdit[] {
  const next = items[items.indexOf(item) + 1]
  const generated = new Set(base.leads.map((lead) => lead.text))
  const isLast = next === undefined || next.leads.length > 0
  if (!isLast || item.leads.length === 0 || !item.leads.every((lead) => generated.has(lead.text))) return []
  return item.leads.map(({ end, start }) => {
    const from = lineStart(text, start)
    const blank = /\n[ \t]*\r?\n$/.exec(text.slice(0, from))
    const begin = blank && next === undefined ? from - blank[0].length + 1 : from
    return { start: begin, end: text.indexOf('\n', end) + 1, text: '' }
  })
}

function spelled(item: SelectItem, { style }: Listed, { wantedText }: Pick<Wanted, 'wantedText'>): string {
  const indent = item.start - lineStart(wantedText, item.start)
  return spellItem(item, indent, style)
}

/** Places a new item next to a neighbour of its group, else after the nearest preceding item. */
function addItem(
  { item, spelled: own = item }: Extract<ItemChange, { readonly kind: 'add' }>,
  listed: Listed,
  { syntax, ...wanted }: Wanted,
): readonly TextEdit[] | undefined {
  const all = wanted.wanted.items
  const at = all.indexOf(item)
  const groupStart = startOfGroup(item, wanted.wanted)
  const find = (neighbour: SelectItem): SelectItem | undefined =>
    listed.list.items.find(({ name }) => name !== undefined && name === neighbour.name) ??
    listed.list.items.find((one) => selectsSame(one, neighbour, syntax))
  const nextGroup = all.findIndex(({ leads }, index) => index > at && leads.length > 0)
  const before = all.slice(0, at).toReversed()
  const inGroup = before.slice(0, at - Math.max(groupStart, 0))
  const behind = all.slice(at + 1, nextGroup < 0 ? undefined : nextGroup)
  const added = { item: spelled(own, listed, wanted), leads: [] }
  const left = inGroup.map(find).find((one) => one !== undefined)
  if (left) return addAfter(left, added, listed)
  const right = behind.map(find).find((one) => one !== undefined)
  if (right) return addBefore(right, added, listed)
  const neighbour = before.map(find).find((one) => one !== undefined)
  const leads = usesGroups(listed.list, all) ? (all[groupStart]?.leads ?? []).map(({ text }) => text) : []
  if (neighbour) return addAfter(neighbour, { ...added, leads }, listed)
  const last = listed.list.items.at(-1)
  return last && addAfter(last, { ...added, leads }, listed)
}

/** Returns the index of the item that has the comments above an item's group; -1 without any. */
function startOfGroup(item: SelectItem, { items }: SelectList): number {
  const at = items.indexOf(item)
  return items.findLastIndex(({ leads }, index) => index <= at && leads.length > 0)
}

/** Returns true if a list still has the generated comments of groups. */
function usesGroups(list: SelectList, wanted: readonly SelectItem[]): boolean {
  const generated = new Set(wanted.flatMap(({ leads }) => leads.map(({ text }) => text)))
  return list.items.some(({ leads }) => leads.some(({ text }) => generated.has(text)))
}

/** Returns true if an edit changed nothing else: every other token is the same. */
function isAsMeant(
  { after, before }: { readonly before: string; readonly after: string },
  change: ItemChange,
  wanted: SelectList,
  syntax: SqlSyntax,
): boolean {
  const expected = countTokens(before, syntax)
  const shift = ({ text }: Pick<SelectItem, 'text'>, by: number): void => {
    for (const [token, times] of countTokens(text, syntax))
      expected.set(token, (expected.get(token) ?? 0) + by * times)
  }
  if (change.kind !== 'add') shift(change.present, -1)
  if (change.kind === 'rename') shift({ text: renameItem(change.present, spelledAlias(change.item)) }, 1)
  else if (change.kind === 'add') shift(change.spelled ?? change.item, 1)
  else if (change.kind === 'replace') shift(change.item, 1)
  expected.set(',', (expected.get(',') ?? 0) + COMMAS[change.kind])
  const found = countTokens(after, syntax)
  const leads = leadsOf(change, wanted)
  const free = new Set(['as', '', ...leads.map((token) => canonicalToken(token, syntax))])
  return [...found.keys(), ...expected.keys()].every(
    (token) => free.has(token) || (found.get(token) ?? 0) === (expected.get(token) ?? 0),
  )
}

/** Returns the generated comments that may come or go with a change: an added column may need those of its group. */
function leadsOf(change: ItemChange, wanted: SelectList): SelectItem['leads'] {
  if (change.kind === 'remove') return change.base.leads
  return change.kind === 'add' ? (wanted.items[startOfGroup(change.item, wanted)]?.leads ?? []) : []
}

/** Commas that a change adds to a list. */
const COMMAS: Readonly<Record<ItemChange['kind'], number>> = { add: 1, rename: 0, replace: 0, remove: -1 }

function countTokens(text: string, syntax: SqlSyntax): Map<string, number> {
  const counts = new Map<string, number>()
  for (const token of tokenStream(text, syntax).split('\n')) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

type Settling = Changing & Wanted

function resolveItems(
  start: string,
  { cte, merge, refused, settlement, syntax, ...rest }: Settling,
): string | undefined {
  if (settlement === 'ours') return start
  if (settlement === 'markers')
    return markConflicts(start, { cte, merge, refused, settlement, syntax, ...rest })
  let text = start
  for (const { present, wanted: item } of merge.conflicts) {
    const list = findMainList(text, syntax, cte)
    const found = list?.items.find(({ name }) => name === present.name)
    if (!list || !found) return undefined
    const listed = { text, list, style: readStyle(text, list, rest.wantedStyle) }
    const edits = item
      ? [{ start: found.start, end: found.end, text: spelled(item, listed, rest) }]
      : removeItem(found, listed)
    text = applyEdits(text, edits)
  }
  return text
}

function markConflicts(text: string, { cte, merge, refused, syntax, ...rest }: Settling): string | undefined {
  const list = findMainList(text, syntax, cte)
  if (!list) return undefined
  const listed = { text, list, style: readStyle(text, list, rest.wantedStyle) }
  const items = merge.conflicts.flatMap(({ base, present, wanted }): MarkedItem | [] => {
    const found = list.items.find(({ name }) => name === present.name)
    return found ? { found, base: base.text, wanted: wanted && spelled(wanted, listed, rest) } : []
  })
  if (items.length < merge.conflicts.length) return undefined
  const last = list.items.at(-1)
  if (refused.length === 0 || !last) return markItems(text, items)
  const marked = items.find(({ found }) => found === last)
  const { indent, inline, leading, gap } = listed.style
  const between = inline ? ', ' : leading ? `\n${indent},${gap}` : `,\n${indent}`
  const wanted = [
    marked ? (marked.wanted ?? '') : last.text,
    ...refused.map(({ item }) => spelled(item, listed, rest)),
  ]
  const added = {
    base: last.text,
    ...marked,
    found: last,
    wanted: wanted.filter((one) => one !== '').join(between),
  }
  return markItems(text, [...items.filter((one) => one !== marked), added])
}

/** Merges the text outside the lists; undefined if the list cannot be inserted into the other texts. */
function mergeAround(
  texts: ThreeTexts,
  { base, wanted }: { readonly base: SelectList; readonly wanted: SelectList },
  syntax: SqlSyntax,
  settlement: Settlement,
): SqlMerge | undefined {
  const without = (text: string, list: SelectList): string =>
    `${text.slice(0, list.start)} 0 ${text.slice(list.end)}`
  if (sameTokens(without(texts.base, base), without(texts.wanted, wanted), syntax))
    return { text: texts.present, conflicts: [] }
  const present = findMainList(texts.present, syntax, base.cte)
  if (!present) return undefined
  const own = texts.present.slice(present.start, present.end)
  const withOwn = (text: string, list: SelectList): string =>
    text.slice(0, list.start) + own + text.slice(list.end)
  const merged = mergeLines(
    { present: texts.present, base: withOwn(texts.base, base), wanted: withOwn(texts.wanted, wanted) },
    settlement,
  )
  return {
    text: merged.text,
    conflicts: merged.conflicts.map((conflict) => ({ kind: 'lines', ...conflict })),
  }
}
