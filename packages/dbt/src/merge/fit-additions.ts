import { isJoined, type Relation, relationsOf, SET_OPERATORS } from './final-columns.ts'
import type { ThreeTexts } from './line-merge.ts'
import { type ItemChange, selectsSame, type ThreeLists } from './merge-items.ts'
import { isCode, type SqlSyntax, type Token } from './scan-sql.ts'
import { depthOf, findSelectLists, isWord, type SelectItem, type SelectList } from './select-list.ts'

/** The parts of a select because of which a column cannot be added to its list. */
export type Obstacle =
  | 'select distinct'
  | 'group by'
  | 'an aggregate'
  | 'a union'
  | 'a list of column names'
  | 'a natural join'
  | 'a join'
  | 'a column of this name'

/** The select with the list of a model's columns, in its text. */
interface AddingPlace {
  readonly text: string
  readonly list: SelectList
  readonly syntax: SqlSyntax
}

/** The generated select. */
interface GeneratedPlace {
  readonly list: SelectList
  /** Obstacles that it has itself. */
  readonly obstacles: ReadonlySet<Obstacle>
}

/** The way to add a column: as a changed item, not at all because `*` has it, or the reason why it cannot be added. */
type Addition = { readonly item: SelectItem } | 'there' | { readonly obstacle: Obstacle }

/** A column that cannot be added. */
export interface RefusedItem {
  readonly item: SelectItem
  readonly obstacle: Obstacle
}

/** Fits new columns into the select that a person changed, so that the model runs as before. */
export function fitAdditions(
  changes: readonly ItemChange[],
  texts: ThreeTexts,
  { base, present, wanted }: ThreeLists,
  syntax: SqlSyntax,
): { readonly changes: readonly ItemChange[]; readonly refused: readonly RefusedItem[] } {
  if (changes.every(({ kind }) => kind !== 'add')) return { changes, refused: [] }
  const obstacles = new Set([
    ...obstaclesOf({ text: texts.base, list: base, syntax }),
    ...obstaclesOf({ text: texts.wanted, list: wanted, syntax }),
  ])
  const place = { text: texts.present, list: present, syntax }
  const fitted = changes.map((change) => {
    const addition =
      change.kind === 'add' ? fitAddition(change.item, place, { list: base, obstacles }) : change
    return { change, addition }
  })
  return {
    changes: fitted.flatMap(({ addition, change }): ItemChange | [] => {
      if (change.kind !== 'add') return change
      return addition !== 'there' && 'item' in addition ? { ...change, spelled: addition.item } : []
    }),
    refused: fitted.flatMap(({ addition, change }) =>
      change.kind === 'add' && addition !== 'there' && 'obstacle' in addition
        ? { item: change.item, obstacle: addition.obstacle }
        : [],
    ),
  }
}

/** Decides how to add a column. */
function fitAddition(item: SelectItem, place: AddingPlace, generated: GeneratedPlace): Addition {
  const { list, syntax } = place
  const relations = relationsOf(list.rest, syntax)
  const own = qualifierOf(place, generated.list)
  if (isPlain(item) && list.items.some((one) => isWholeStar(one, own, relations))) return 'there'
  const obstacle = obstaclesOf(place, item.name).find((one) => !generated.obstacles.has(one))
  if (obstacle !== undefined) return { obstacle }
  if (relations.length < 2) return { item }
  return own !== undefined && readsPlainly(item) ? { item: qualified(item, own) } : { obstacle: 'a join' }
}

/** Returns the obstacles in a select, and in those that read all of its columns. */
function obstaclesOf({ list, syntax, text }: AddingPlace, name?: string): readonly Obstacle[] {
  const lists = findSelectLists(text, syntax)
  const there = lists.find(({ start }) => start === list.start)
  if (!there) return []
  const passing = passingOn(there, lists, syntax)
  return [
    ...obstaclesIn(there),
    ...(isOfSet(there, lists) ? ['a union' as const] : []),
    ...passing.flatMap((one) => [
      ...obstaclesIn(one),
      ...(isOfSet(one, lists) && !isAlikeSet(one, lists) ? ['a union' as const] : []),
      ...(name !== undefined && one.items.some((item) => item.name === name)
        ? ['a column of this name' as const]
        : []),
    ]),
  ]
}

/** Returns the selects that read all columns of a common table expression by `*`, directly or through others. */
function passingOn(
  { cte }: SelectList,
  lists: readonly SelectList[],
  syntax: SqlSyntax,
  seen: ReadonlySet<SelectList> = new Set(),
): readonly SelectList[] {
  if (cte === undefined) return []
  const found = lists.filter(
    (list) =>
      !seen.has(list) &&
      relationsOf(list.rest, syntax).some(
        (relation) =>
          relation.cte?.toLowerCase() === cte.toLowerCase() &&
          list.items.some((item) => isWholeStar(item, relation.alias, [relation])),
      ),
  )
  const all = new Set([...seen, ...found])
  return [...found, ...found.flatMap((list) => passingOn(list, lists, syntax, all))]
}

function obstaclesIn(list: SelectList): readonly Obstacle[] {
  const { before, isDistinct, items, rest } = list
  const words = wordsAtTop(rest)
  const isGrouped = words.includes('group')
  const isAggregated = !isGrouped && (words.includes('having') || items.some(aggregates))
  const isNamed = before.at(-1)?.text === '(' && before.at(-3)?.text === ')'
  const found: readonly (readonly [Obstacle, boolean])[] = [
    ['select distinct', isDistinct],
    ['group by', isGrouped],
    ['an aggregate', isAggregated],
    ['a list of column names', isNamed],
    ['a natural join', words.includes('natural')],
  ]
  return found.flatMap(([obstacle, isThere]) => (isThere ? obstacle : []))
}

function wordsAtTop(code: readonly Token[]): readonly string[] {
  let depth = 0
  return code.flatMap((token) => {
    depth += depthOf(token)
    return depth === 0 && token.kind === 'word' ? token.text.toLowerCase() : []
  })
}

const AGGREGATES = new Set(
  'any_value arg_max arg_min array_agg avg bool_and bool_or count group_concat listagg max max_by median min min_by mode string_agg sum'.split(
    ' ',
  ),
)

/** Returns true if an item combines rows, other than over a window. */
function aggregates({ tokens }: SelectItem): boolean {
  const code = tokens.filter(isCode)
  const isCalled = code.some(
    ({ kind, text }, at) =>
      kind === 'word' && AGGREGATES.has(text.toLowerCase()) && code[at + 1]?.text === '(',
  )
  return isCalled && !code.some((token) => isWord(token, 'over'))
}

/** Returns true for a select of a union or another set operation. */
function isOfSet(list: SelectList, lists: readonly SelectList[]): boolean {
  return setOf(list, lists).length > 1
}

/** Returns true if all selects of a set operation read all columns of the same table, and nothing else. */
function isAlikeSet(list: SelectList, lists: readonly SelectList[]): boolean {
  const all = setOf(list, lists)
  const read = all.map(({ items, rest }) =>
    items.length === 1 && items[0]?.text === '*' ? rest[1]?.text.toLowerCase() : undefined,
  )
  return read.every((name) => name !== undefined && name === read[0])
}

/** Returns the selects of the set operation that contains a select. */
function setOf(list: SelectList, lists: readonly SelectList[]): readonly SelectList[] {
  const beside = lists.filter(({ depth }) => depth === list.depth)
  const at = beside.indexOf(list)
  const first = beside.findLastIndex(({ before }, index) => index <= at && !isJoined(before))
  const next = beside.findIndex(({ before }, index) => index > at && !isJoined(before))
  const found = beside.slice(Math.max(first, 0), next < 0 ? undefined : next)
  const isSet = wordsAtTop(list.rest).some((word) => SET_OPERATORS.has(word))
  return found.length === 1 && isSet ? [list, list] : found
}

/** Returns the qualifier of the generated columns in a select; undefined if they have none, or several. */
function qualifierOf({ list, syntax }: AddingPlace, generated: SelectList): string | undefined {
  const own = list.items.filter((item) => generated.items.some((one) => selectsSame(one, item, syntax)))
  const found = new Set(
    own.map(({ tokens }) => {
      const code = tokens.filter(isCode)
      return code[1]?.text === '.' ? code[0]?.text : undefined
    }),
  )
  return found.size === 1 ? [...found][0] : undefined
}

/** Returns true for `*` of a table without a change of its columns. */
function isWholeStar(
  { tokens }: SelectItem,
  qualifier: string | undefined,
  relations: readonly Relation[],
): boolean {
  const code = tokens.filter(isCode)
  if (code[0]?.text === '*') return relations.length === 1
  return (
    code[1]?.text === '.' && code[2]?.text === '*' && code[0]?.text.toLowerCase() === qualifier?.toLowerCase()
  )
}

/** Returns true for a column under its own name. */
function isPlain({ tokens }: SelectItem): boolean {
  return tokens.filter(isCode).length === 1
}

/** Returns true for a column under any name. */
function readsPlainly({ tokens }: SelectItem): boolean {
  const code = tokens.filter(isCode)
  const before = code.at(-2)
  return code.length === 1 || code.length === (before && isWord(before, 'as') ? 3 : 2)
}

function qualified(item: SelectItem, qualifier: string): SelectItem {
  const [first] = item.tokens
  if (!first) return item
  const prefix = [qualifier, '.'].map((text, at): Token => ({
    ...first,
    kind: at === 0 ? 'word' : 'mark',
    text,
  }))
  return { ...item, text: `${qualifier}.${item.text}`, tokens: [...prefix, ...item.tokens] }
}
