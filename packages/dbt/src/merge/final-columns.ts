import { compareName } from './output-name.ts'
import { isCode, type SqlSyntax, type Token } from './scan-sql.ts'
import { depthOf, findSelectLists, isWord, type SelectItem, type SelectList } from './select-list.ts'

/** A column of the built model. */
export interface FinalColumn {
  /** The name in its form for comparison. */
  readonly name: string
  /** The items of select lists that it comes from, last select first. */
  readonly items: readonly [SelectItem, ...SelectItem[]]
}

/** The columns that a model ends with. */
export interface FinalColumns {
  readonly columns: readonly FinalColumn[]
  /** True if it may have more, such as those of a table behind a `*`. */
  readonly isOpen: boolean
}

/**
 * Follows the last select of a model through `*` and common table expressions to the model's columns. Undefined if
 * the text does not show them.
 */
export function finalColumns(text: string, syntax: SqlSyntax): FinalColumns | undefined {
  const lists = findSelectLists(text, syntax)
  const [last, ...others] = lists.filter(({ depth }) => depth === 0)
  // in a union, only the first select gives names
  if (!last || !others.every(({ before }) => isJoined(before))) return undefined
  return columnsOf(last, { lists, syntax, known: new Map() })
}

export const SET_OPERATORS: ReadonlySet<string> = new Set(['union', 'intersect', 'except', 'minus'])

/** Returns true if the code before a select joins it to another one. */
export function isJoined(before: readonly Token[]): boolean {
  const words = before.map(({ text }) => text.toLowerCase())
  return SET_OPERATORS.has(words.findLast((word) => word !== 'all' && word !== 'distinct') ?? '')
}

interface Model {
  readonly lists: readonly SelectList[]
  readonly syntax: SqlSyntax
  /** The known results of lists; empty during their evaluation, so recursion ends. */
  readonly known: Map<SelectList, FinalColumns | undefined>
}

function columnsOf(list: SelectList, model: Model): FinalColumns | undefined {
  if (list.items.length === 0 || model.known.has(list)) return model.known.get(list)
  model.known.set(list, undefined)
  const relations = relationsOf(list.rest, model.syntax)
  const parts = list.items.map((item) => itemColumns(item, relations, model))
  if (parts.some((part) => part === undefined)) return undefined
  const columns = parts.flatMap((part) => part?.columns ?? [])
  const found = { columns, isOpen: parts.some((part) => part?.isOpen) }
  model.known.set(list, found)
  return found
}

function itemColumns(
  item: SelectItem,
  relations: readonly Relation[],
  model: Model,
): FinalColumns | undefined {
  const code = item.tokens.filter(isCode)
  const star = code.findIndex(
    ({ text }, index) => text === '*' && (index === 0 || code[index - 1]?.text === '.'),
  )
  if (star === 0 || star === 2) return starColumns(code, { star, relations, model })
  if (item.name === undefined) return { columns: [], isOpen: true }
  const passed = passedOn(code, relations, model)
  return { columns: [{ name: item.name, items: [item, ...(passed?.items ?? [])] }], isOpen: false }
}

interface Star {
  /** Returns the index of `*`: 0, or 2 after the name of a relation. */
  readonly star: 0 | 2
  readonly relations: readonly Relation[]
  readonly model: Model
}

/** Returns the columns of a `*`. */
function starColumns(code: readonly Token[], { model, relations, star }: Star): FinalColumns | undefined {
  const excluded = excludedNames(code.slice(star + 1), model.syntax)
  const named =
    star === 0 ? relations : relations.filter(({ alias }) => alias === nameAt(code, 0, model.syntax))
  if (!excluded || named.length === 0) return undefined
  const parts = named.map(({ cte }) => columnsOfCte(cte, model))
  return {
    columns: parts.flatMap((part) => part?.columns ?? []).filter(({ name }) => !excluded.has(name)),
    isOpen: parts.some((part) => part?.isOpen ?? true),
  }
}

/** Returns the names in `except (a, b)`; undefined for any other change of the columns. */
function excludedNames(code: readonly Token[], syntax: SqlSyntax): ReadonlySet<string> | undefined {
  const [word, ...rest] = code
  if (!word) return new Set()
  if (!isWord(word, 'except') && !isWord(word, 'exclude')) return undefined
  const names = rest.filter(({ kind, text }) => kind !== 'mark' || !'(),'.includes(text))
  const isPlain = names.every(({ kind }) => kind === 'word' || kind === 'name')
  return isPlain ? new Set(names.map((name) => compareName(name, syntax))) : undefined
}

/** Something that a select reads. */
export interface Relation {
  /** The qualifier of its columns. */
  readonly alias: string | undefined
  /** The name of a common table expression; undefined for a table, a call of Jinja, or a select of its own. */
  readonly cte: string | undefined
}

const ENDS = new Set(['where', 'group', 'having', 'qualify', 'order', 'limit', 'window', ...SET_OPERATORS])
const NO_ALIAS = new Set([
  ...ENDS,
  ...'join inner left right full cross outer natural asof lateral on using from tablesample pivot unpivot'.split(
    ' ',
  ),
])

/** Reads `from` and the joins after it. */
export function relationsOf(rest: readonly Token[], syntax: SqlSyntax): readonly Relation[] {
  let depth = 0
  let isBehind = false
  const relations: Relation[] = []
  for (const [index, token] of rest.entries()) {
    if (depth === 0 && token.kind === 'word' && ENDS.has(token.text.toLowerCase())) break
    const begins = isWord(token, 'from') || isWord(token, 'join') || (isBehind && token.text === ',')
    if (depth === 0 && begins) {
      isBehind = true
      relations.push(relationAt(rest.slice(index + 1), syntax))
    }
    depth += depthOf(token)
  }
  return relations
}

function relationAt(code: readonly Token[], syntax: SqlSyntax): Relation {
  const [first, next] = code
  const isName =
    (first?.kind === 'word' || first?.kind === 'name') && next?.text !== '.' && next?.text !== '('
  const name = isName ? compareName(first, syntax) : undefined
  const end = first?.text === '(' ? closing(code) + 1 : 1
  const behind = code.slice(end)
  const alias = behind[0] && isWord(behind[0], 'as') ? behind[1] : behind[0]
  const isAlias =
    (alias?.kind === 'word' && !NO_ALIAS.has(alias.text.toLowerCase())) || alias?.kind === 'name'
  return { alias: isAlias && alias ? compareName(alias, syntax) : name, cte: name }
}

function closing(code: readonly Token[]): number {
  let depth = 0
  return code.findIndex((token) => {
    depth += depthOf(token)
    return depth === 0
  })
}

/**
 * Returns the columns of a common table expression; undefined for anything else, and if its text does not show them.
 */
function columnsOfCte(name: string | undefined, model: Model): FinalColumns | undefined {
  const list = model.lists.find(({ cte }) => cte !== undefined && cte.toLowerCase() === name?.toLowerCase())
  return list && columnsOf(list, model)
}

/** Returns the column of a common table expression that an item passes on, under any name. */
function passedOn(
  code: readonly Token[],
  relations: readonly Relation[],
  model: Model,
): FinalColumn | undefined {
  const isQualified = code[1]?.text === '.'
  const [column, behind] = [code[isQualified ? 2 : 0], code.slice(isQualified ? 3 : 1)]
  const isPlain = behind.length === 0 || behind.length === (behind[0] && isWord(behind[0], 'as') ? 2 : 1)
  if ((column?.kind !== 'word' && column?.kind !== 'name') || !isPlain) return undefined
  const qualifier = isQualified ? nameAt(code, 0, model.syntax) : undefined
  const [relation, ...others] = relations.filter(({ alias }) => !isQualified || alias === qualifier)
  if (!relation || others.length > 0) return undefined
  const name = compareName(column, model.syntax)
  return columnsOfCte(relation.cte, model)?.columns.find((one) => one.name === name)
}

function nameAt(code: readonly Token[], index: number, syntax: SqlSyntax): string | undefined {
  const token = code[index]
  return token?.kind === 'word' || token?.kind === 'name' ? compareName(token, syntax) : undefined
}
