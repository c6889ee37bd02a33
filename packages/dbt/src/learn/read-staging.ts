import type { Config, Table } from '@stagecraft/spec'
import { compareText } from '@stagecraft/spec'
import { createHash } from 'node:crypto'
import { namesRead } from '../merge/output-name.ts'
import { isCode, type SqlSyntax, type Token } from '../merge/scan-sql.ts'
import { findSelectLists, isWord, type SelectItem, type SelectList } from '../merge/select-list.ts'
import type { IndexedModel, IndexedTable, ProjectIndex } from '../project/project-index.ts'
import { readShape, type SqlShape } from './read-shape.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { isIn } from '../tree/paths.ts'
import { readText } from '../tree/read-text.ts'

/** A column that a person staged: the raw column that its expression reads, and its name. */
export interface StagedPair {
  /** The spelling in the model, without quotes. */
  readonly raw: string
  /** In lower case. */
  readonly name: string
  /** The name in the case in which people wrote it. In lower case if no person did. */
  readonly written: string
  /** The type that the expression casts to; undefined without a cast. */
  readonly castTo: string | undefined
}

/** A staging model of a project, with the table that it reads. */
export interface StagingModel {
  readonly model: IndexedModel
  /** The dbt source that it reads. */
  readonly source: string
  /** The declared schema; undefined without a declaration. */
  readonly table: IndexedTable | undefined
  readonly database: string | undefined
  readonly schema: string
  /** The name of the table in the warehouse. */
  readonly identifier: string
  /** In the order of the select list. */
  readonly pairs: readonly StagedPair[]
  readonly shape: SqlShape
}

/** A model from which nothing can be learned. */
export interface SkippedModel {
  readonly path: string
  readonly reason: string
}

export interface ReadStagingOptions {
  /** The lexical rules of the SQL. */
  readonly syntax: SqlSyntax
  /** The folder or files to learn from, relative to the project. @default all staging models */
  readonly from?: readonly string[]
  /** The known tables of the warehouse: a model that selects all columns keeps their names. @default none */
  readonly tables?: readonly Table[]
  /** Returns true for an unchanged file of Stagecraft, by path and SHA-256. @default none */
  readonly isOwn?: (path: string, hash: string) => boolean
}

export interface StagingModels {
  readonly models: readonly StagingModel[]
  readonly skipped: readonly SkippedModel[]
}

/** A project to learn from. */
export interface ReadableProject {
  readonly tree: FileTree
  readonly index: ProjectIndex
}

/** Reads the models that stage one table each: they read one source and no other model. */
export async function readStagingModels(
  { index, tree }: ReadableProject,
  options: ReadStagingOptions,
): Promise<StagingModels> {
  const { from, isOwn = () => false, tables = [] } = options
  const chosen = index.models
    .filter(({ kind, path }) => kind === 'model' && path.endsWith('.sql') && (!from || isIn(path, from)))
    .filter(({ models, reads }) => reads.length === 1 && models.length === 0)
    .toSorted((a, b) => compareText(a.path, b.path))
  const read = await Promise.all(
    chosen.map(async (model): Promise<StagingModel | SkippedModel> => {
      const text = (await readText(tree, model.path)) ?? ''
      if (isOwn(model.path, createHash('sha256').update(text).digest('hex')))
        return { path: model.path, reason: 'stagecraft wrote it' }
      const lists = findSelectLists(text, options.syntax)
      const place = placeOf(model, index)
      const pairs = selectsAll(lists) ? keptPairs(place, tables) : pairsIn(lists, options.syntax)
      if (pairs.length === 0) return { path: model.path, reason: 'its list of columns cannot be read' }
      return { model, pairs, shape: readShape(text, lists, options.syntax), ...place }
    }),
  )
  return {
    models: read.filter((one) => 'pairs' in one),
    skipped: read.filter((one) => 'reason' in one),
  }
}

type Place = Pick<StagingModel, 'source' | 'table' | 'database' | 'schema' | 'identifier'>

function placeOf({ reads }: IndexedModel, { sources }: ProjectIndex): Place {
  const [{ source, table } = { source: '', table: '' }] = reads
  const declared = sources.filter(({ name }) => name.toLowerCase() === source.toLowerCase())
  const found = declared
    .flatMap((one) => one.tables.map((entry) => ({ one, entry })))
    .find(({ entry }) => entry.name.toLowerCase() === table.toLowerCase())
  const home = found?.one ?? declared[0]
  return {
    source,
    table: found?.entry,
    database: home?.database,
    schema: home?.schema ?? source,
    identifier: found?.entry.identifier ?? table,
  }
}

/** Returns the configured names of sources that the project names differently than their schema. */
export function sourceNames(models: readonly Pick<StagingModel, 'schema' | 'source'>[]): Config {
  const renamed = models.filter(({ schema, source }) => schema.toLowerCase() !== source.toLowerCase())
  const sources = Object.fromEntries(renamed.map(({ schema, source }) => [schema, { name: source }]))
  return renamed.length === 0 ? {} : { sources }
}

/** Returns true if all selects of a model are `select *`, so that it names no column. */
function selectsAll(lists: readonly SelectList[]): boolean {
  return lists.length > 0 && lists.every(({ items }) => items.length === 1 && items[0]?.text === '*')
}

/** Returns the columns of a table, as far as they are known, with their own names. */
function keptPairs({ identifier, schema, table }: Place, tables: readonly Table[]): readonly StagedPair[] {
  const isSame = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()
  const stored = tables.find((one) => isSame(one.name, identifier) && isSame(one.schema, schema))
  const columns = stored?.columns ?? table?.columns ?? []
  return columns.map(({ name }) => ({
    raw: name,
    name: name.toLowerCase(),
    written: name,
    castTo: undefined,
  }))
}

/** Reads the raw column of each model column, as far as the text shows; none for one computed from several. */
function pairsIn(selects: readonly SelectList[], syntax: SqlSyntax): readonly StagedPair[] {
  const lists = selects.map((list) => ({ list, pairs: pairsOf(list, syntax) }))
  const renamed = (pairs: readonly StagedPair[]): number =>
    pairs.filter(({ castTo, name, raw }) => castTo !== undefined || raw.toLowerCase() !== name).length
  const [main] = lists.toSorted(
    (a, b) => renamed(b.pairs) - renamed(a.pairs) || b.pairs.length - a.pairs.length,
  )
  if (!main) return []
  const at = lists.indexOf(main)
  const origins = originsIn(lists.slice(0, at))
  const later = lists.slice(at + 1).map(({ pairs }) => pairs)
  const first = new Map(main.pairs.toReversed().map((pair) => [pair.raw.toLowerCase(), pair]))
  return [...first.values()]
    .toSorted((a, b) => a.at - b.at)
    .map((pair) => {
      const origin = origins.get(pair.raw.toLowerCase())
      const { castTo, name, written } = lastOf(pair, later)
      return { raw: origin?.raw ?? pair.raw, name, written, castTo: castTo ?? origin?.castTo }
    })
}

/** Returns the final name and type of a column, after later lists rename or cast it. */
function lastOf(
  { castTo, name, written }: StagedPair,
  later: readonly (readonly StagedPair[])[],
): Omit<StagedPair, 'raw'> {
  return later.reduce(
    (now, pairs) => {
      const again = pairs.find(({ raw }) => raw.toLowerCase() === now.name)
      if (!again) return now
      return { name: again.name, written: again.written, castTo: again.castTo ?? now.castTo }
    },
    { castTo, name, written },
  )
}

/** Returns the raw columns behind names of earlier lists: one list renames, and a later one casts. */
function originsIn(
  lists: readonly { readonly pairs: readonly StagedPair[] }[],
): ReadonlyMap<string, StagedPair> {
  const origins = new Map<string, StagedPair>()
  for (const { pairs } of lists) {
    const found = pairs.map((pair) => [pair.name, origins.get(pair.raw.toLowerCase()) ?? pair] as const)
    for (const [name, origin] of found) origins.set(name, origin)
  }
  return origins
}

/** A pair and its place. */
interface PlacedPair extends StagedPair {
  readonly at: number
  /** True if its expression does more than cast. */
  readonly isComputed: boolean
}

function pairsOf({ items }: SelectList, syntax: SqlSyntax): readonly PlacedPair[] {
  const pairs = items.flatMap((item) => pairOf(item, syntax) ?? [])
  // if two columns read the same one, the plain one gives its name
  return pairs.toSorted((a, b) => Number(a.isComputed) - Number(b.isComputed) || a.at - b.at)
}

function pairOf({ name, start, tokens }: SelectItem, syntax: SqlSyntax): PlacedPair | undefined {
  const code = tokens.filter(isCode)
  if (name === undefined || name.includes('{') || code.some(isPath)) return undefined
  const expression = expressionOf(code)
  if (expression.some(changesValue)) return undefined
  const read = [
    ...new Map(expression.flatMap((token, at) => columnAt(token, at, expression, syntax))).values(),
  ]
  const [raw] = read
  if (read.length !== 1 || raw === undefined) return undefined
  const castTo = castOf(expression)
  const isComputed = castTo === undefined && expression.filter(({ text }) => text !== '.').length > 2
  const lower = name.toLowerCase()
  const last = /\w+/.exec(code.at(-1)?.text ?? '')?.[0] ?? ''
  const written = last.toLowerCase() === lower ? last : lower
  return { raw, name: lower, written, castTo, isComputed, at: start }
}

/** Matches functions that make a time of an epoch. `to_timestamp` reads texts too. */
const CONVERTS = /^(?:from_unixtime|timestamp_(?:seconds|millis|micros)|epoch_ms|fromunixtimestamp\w*)$/i

/**
 * Returns true for arithmetic and for functions that convert units. The name of such a column is right for its result and
 * wrong for the stored value: `amount_cents / 100 as amount`.
 */
function changesValue({ kind, text }: Token, at: number, expression: readonly Token[]): boolean {
  if (kind === 'word') return CONVERTS.test(text)
  return kind === 'mark' && /^[*/%+-]$/.test(text) && at > 0 && expression[at - 1]?.text !== '('
}

/** A part of a value is not a column: `payload:id`, `payload -> 'id'`, `payload[0]`. */
function isPath({ kind, text }: Token, at: number, code: readonly Token[]): boolean {
  if (kind === 'word') return /^(?:json|get_path|parse_json|try_parse_json)/i.test(text)
  if (kind !== 'mark') return false
  if (text === ':') return code[at + 1]?.text !== ':' && code[at - 1]?.text !== ':'
  return text === '[' || (text === '>' && code[at - 1]?.text === '-')
}

/** The tokens before the alias. */
function expressionOf(code: readonly Token[]): readonly Token[] {
  const [as, alias] = [code.at(-2), code.at(-1)]
  if (!as || !alias) return code
  if (isWord(as, 'as')) return code.slice(0, -2)
  const isAlias = as.text !== '.' && as.text !== ':' && alias.kind !== 'mark' && alias.kind !== 'jinja'
  return isAlias ? code.slice(0, -1) : code
}

/** Words that are always values; other keywords alone are column names. */
const CONSTANTS: ReadonlySet<string> = new Set(['current_date', 'current_timestamp', 'false', 'null', 'true'])

const KEYWORDS: ReadonlySet<string> = new Set(
  `all and any as asc at between by case cast collate current_date current_timestamp day desc distinct else end escape
   exists false filter for from hour ignore ilike in interval is last like minute month not null nulls or order over
   partition respect second similar then time to true using when where with within year zone rows`.split(
    /\s+/,
  ),
)

/** Returns the column of a token in lower case; undefined for functions, keywords, types and qualifiers. */
function columnAt(
  token: Token,
  at: number,
  tokens: readonly Token[],
  syntax: SqlSyntax,
): readonly (readonly [string, string])[] {
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  if (token.kind === 'jinja') {
    const named = [...namesRead([token], syntax)]
    return named.length === 1 && named[0] !== undefined ? [[named[0].toLowerCase(), named[0]]] : []
  }
  if (token.kind === 'name') {
    const name = token.text.slice(1, -1)
    return next?.text === '.' ? [] : [[name.toLowerCase(), name]]
  }
  if (token.kind !== 'word' || !/^[\p{L}_]/u.test(token.text) || next?.text === '.' || next?.text === '(')
    return []
  const isType = isTypeAt(at, tokens)
  const word = token.text.toLowerCase()
  const isKeyword = before?.text !== '.' && (CONSTANTS.has(word) || (KEYWORDS.has(word) && tokens.length > 1))
  return isType || isKeyword ? [] : [[token.text.toLowerCase(), token.text]]
}

/** Returns the words after `::` and after the `as` of a cast. */
function isTypeAt(at: number, tokens: readonly Token[]): boolean {
  const start = tokens.slice(0, at).findLastIndex(({ kind }) => kind !== 'word')
  if (tokens[start]?.text === ':' && tokens[start - 1]?.text === ':') return true
  return tokens.slice(Math.max(start, 0), at).some((token) => isWord(token, 'as'))
}

/** Returns the type to which a whole expression is cast; for dbt's macros by their names. */
function castOf(expression: readonly Token[]): string | undefined {
  const type = typeIn(expression)
  if (type?.includes('{') !== true) return type
  return /\btype_(?<name>\w+)\(/.exec(type)?.groups?.['name']
}

function typeIn(expression: readonly Token[]): string | undefined {
  const texts = expression.map(({ text }) => text)
  const cast = /^(?:try_|safe_)?cast$/i.test(texts[0] ?? '')
  const as = expression.findLastIndex((token) => isWord(token, 'as'))
  if (cast && as > 0 && texts.at(-1) === ')')
    return texts
      .slice(as + 1, -1)
      .join(' ')
      .toLowerCase()
  const colon = texts.lastIndexOf(':')
  if (colon > 0 && texts[colon - 1] === ':')
    return texts
      .slice(colon + 1)
      .join(' ')
      .toLowerCase()
  return undefined
}
