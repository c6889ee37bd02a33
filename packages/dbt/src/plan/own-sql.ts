import { isDeepStrictEqual } from 'node:util'
import { type Claims, type ColumnClaim, isKeyTest, type RowClaim } from '@stagecraft/core/run'
import type { FinalColumn } from '../merge/final-columns.ts'
import { selectsSame } from '../merge/merge-items.ts'
import { canonicalToken, tokenStream } from '../merge/same-tokens.ts'
import { isCode, scanSql, type SqlSyntax, type Token } from '../merge/scan-sql.ts'
import { aliased, compareName, fold } from '../merge/output-name.ts'
import type { SelectItem } from '../merge/select-list.ts'
import type { YamlEntry, YamlValue } from '../yaml/yaml-edit.ts'
import { asEntry } from '../yaml/change.ts'
import { isNamed } from './entry-edits.ts'
import { type ColumnNames, type ModelTexts, selectedColumns, spelledName } from './selected-names.ts'

/** The differences of a model's SQL from the generated SQL that affect claims about it. */
export interface OwnSql {
  /**
   * Columns with another expression, by generated name: `cast` is the stored value in another type, `other` is
   * anything else.
   */
  readonly columns: ReadonlyMap<string, 'cast' | 'other'>
  /** Row filters that it lacks; `key` means that its own logic may repeat keys. */
  readonly rows: ReadonlySet<RowClaim | 'key'>
}

/** Compares a model with the claims about the generated one. */
export function readOwnSql(texts: ModelTexts, claims: Claims, syntax: SqlSyntax): OwnSql {
  return { columns: ownColumns(texts, claims, syntax), rows: ownRows(texts, claims, syntax) }
}

function ownColumns(texts: ModelTexts, claims: Claims, syntax: SqlSyntax): OwnSql['columns'] {
  const found = selectedColumns(texts, syntax)
  const selected = new Map(
    [...(found?.columns ?? [])].map(([column, match]) => [
      spelledName(column, syntax).name,
      match && wayOf(column, match, syntax),
    ]),
  )
  const raw = new Set(texts.raw.map((name) => fold(name, syntax)))
  return new Map(
    [...claims.columns].flatMap(([name, { needs }]): readonly (readonly [string, 'cast' | 'other'])[] => {
      const way = selected.get(name)
      if (way !== undefined) return way === 'same' ? [] : [[name, way]]
      if (found && !found.isOpen) return []
      // The text does not show it: a stored column of this name may be passed on unchanged.
      return needs === 'value' && raw.has(fold(name, syntax)) ? [] : [[name, 'other']]
    }),
  )
}

/** Compares the first expression of a column; passing it on changes nothing. */
function wayOf(wanted: FinalColumn, there: FinalColumn, syntax: SqlSyntax): 'same' | 'cast' | 'other' {
  const [generated, own] = [wanted.items.at(-1), there.items.at(-1)]
  if (!generated || !own || selectsSame(own, generated, syntax)) return 'same'
  const [read, cast] = [plainColumn(expressionOf(generated)), plainColumn(withoutCast(expressionOf(own)))]
  return read && cast && compareName(read, syntax) === compareName(cast, syntax) ? 'cast' : 'other'
}

/** Returns the stored column that an expression passes on, in another type or not, in its form for comparison. */
export function columnRead({ items }: FinalColumn, syntax: SqlSyntax): string | undefined {
  const column = plainColumn(withoutCast(expressionOf(items.at(-1) ?? items[0])))
  return column && compareName(column, syntax)
}

function expressionOf({ name, tokens }: SelectItem): readonly Token[] {
  const code = tokens.filter(isCode)
  if (!aliased(code) || name === undefined) return code
  return code.slice(0, isWord(code.at(-2), 'as') ? -2 : -1)
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word
}

/** Returns the column that an expression passes on, without the name of its table. */
function plainColumn(code: readonly Token[]): Token | undefined {
  const [first, dot, last] = code
  const column = dot?.text === '.' && code.length === 3 ? last : code.length === 1 ? first : undefined
  return column?.kind === 'word' || column?.kind === 'name' ? column : undefined
}

/** Returns the value in `cast(a as text)` or `a::text`. */
function withoutCast(code: readonly Token[]): readonly Token[] {
  const colon = code.findIndex(({ text }) => text === ':')
  if (colon > 0 && code[colon + 1]?.text === ':') return code.slice(0, colon)
  const [first, open] = code
  const isCast = ['cast', 'safe_cast', 'try_cast'].some((word) => isWord(first, word)) && open?.text === '('
  const end = code.findIndex((token) => isWord(token, 'as'))
  return isCast && end > 0 && code.at(-1)?.text === ')' ? code.slice(2, end) : code
}

/** Words that split or combine rows. */
const MULTIPLYING = wordsOf(
  'join union except intersect minus lateral unnest flatten explode pivot unpivot group',
)
/** Words with which a model may keep one version of each row in its own way. */
const CHOOSING = wordsOf('row_number rank dense_rank qualify distinct group max_by arg_max')

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

function ownRows({ final }: ModelTexts, { rows }: Claims, syntax: SqlSyntax): OwnSql['rows'] {
  const code = scanSql(final, syntax).filter(isCode)
  const spelled = code.map((token) => canonicalToken(token, syntax))
  const has = (words: ReadonlySet<string>): boolean =>
    code.some(({ kind, text }) => kind === 'word' && words.has(text.toLowerCase()))
  const lacks = new Set<RowClaim | 'key'>()
  if (has(MULTIPLYING)) lacks.add('grain')
  if (rows.where !== undefined && !filters(spelled, rows.where, syntax)) lacks.add('deleted')
  if (rows.deduplicate) {
    const { orderBy, partitionBy } = rows.deduplicate
    const order = `partition by ${partitionBy.join(', ')} order by ${orderBy.join(', ')}`
    const choosesOtherwise = has(CHOOSING) || code.some(isDeduplication)
    if (placeOf(spelled, order, syntax) < 0) lacks.add('versions')
    if (lacks.has('versions') && !choosesOtherwise) lacks.add('grain').add('key')
  }
  return lacks
}

/** Words that leave out rows. */
const FILTERING = wordsOf(
  'where having qualify limit top fetch sample tablesample join intersect except minus',
)

/** Returns true if a model may leave out rows that the generated SQL, or the whole table, keeps. */
export function filtersMore(
  { final, generated = '' }: Pick<ModelTexts, 'final'> & Partial<ModelTexts>,
  syntax: SqlSyntax,
): boolean {
  const [own, wanted] = [filtersIn(final, syntax), filtersIn(generated, syntax)]
  return own.some((word) => count(own, word) > count(wanted, word))
}

/** Returns true if a model combines tables. */
export function joinsTables(text: string, syntax: SqlSyntax): boolean {
  return scanSql(text, syntax).some((token) => isWord(token, 'join') || isWord(token, 'union'))
}

function filtersIn(text: string, syntax: SqlSyntax): readonly string[] {
  const code = scanSql(text, syntax).filter(isCode)
  return code.flatMap((token, at) => {
    const word = token.kind === 'word' ? token.text.toLowerCase() : ''
    return FILTERING.has(word) && !(word === 'join' && keepsRows(code.slice(0, at))) ? word : []
  })
}

/** Returns true before a join that keeps each row of its left side. */
function keepsRows(before: readonly Token[]): boolean {
  const side = isWord(before.at(-1), 'outer') ? before.at(-2) : before.at(-1)
  return ['left', 'full', 'cross'].some((word) => isWord(side, word))
}

function count(words: readonly string[], word: string): number {
  return words.filter((other) => other === word).length
}

function isDeduplication({ kind, text }: Token): boolean {
  return kind === 'jinja' && /dedup/i.test(text)
}

/** Returns true if a condition always filters rows. */
function filters(code: readonly string[], condition: string, syntax: SqlSyntax): boolean {
  const place = placeOf(code, condition, syntax)
  const after = code[place + tokenStream(condition, syntax).split('\n').length]
  return place > 0 && ['where', 'and', '('].includes(code[place - 1] ?? '') && after !== 'or'
}

/** Returns the index of a piece of SQL in the code; -1 if it is missing. */
function placeOf(code: readonly string[], sql: string, syntax: SqlSyntax): number {
  const wanted = tokenStream(sql, syntax).split('\n')
  return code.findIndex((_, at) => wanted.every((token, index) => code[at + index] === token))
}

type Named = YamlEntry & { readonly name: string }

/** Returns the claims about a model that hold for its own SQL. */
export function withoutClaims(entry: Named, claims: Claims, { columns, rows }: OwnSql): Named {
  if (columns.size + rows.size === 0) return entry
  const lacks = new Set([...rows].filter((row) => row !== 'key'))
  const tests = (list: YamlValue): YamlValue =>
    withoutTests(list, (name) => rows.has('key') && isKeyTest(name))
  const isContract = hasContract(entry)
  const described = claims.describe(new Set())
  return compact(entry, (key, value) => {
    if (key === 'description' && value === described) return claims.describe(lacks)
    if (key === 'data_tests' || key === 'tests') return tests(value)
    if (key !== 'columns' || !Array.isArray(value)) return value
    return value.map((column: YamlValue) => {
      if (!isNamed(column)) return column
      const own = compact(column, (inner, one) => (inner.endsWith('tests') ? tests(one) : one))
      return columnWithoutClaims(own, claims, { way: columns.get(column.name), isContract })
    })
  })
}

/** Returns true if a claim about a column does not hold for the expression in a person's SQL. */
export function isLost({ needs }: ColumnClaim, way: 'cast' | 'other'): boolean {
  return way === 'other' || needs === 'expression'
}

function columnWithoutClaims(
  column: Named,
  claims: Claims,
  { isContract, way }: { readonly way: 'cast' | 'other' | undefined; readonly isContract: boolean },
): Named {
  const claim = claims.columns.get(column.name)
  if (!claim || way === undefined) return column
  const isGone = isLost(claim, way)
  return compact(column, (key, value) => {
    // a contract needs the type of every column
    if (key === 'data_type') return isContract ? value : undefined
    if (!isGone) return value
    const lost = way === 'other' ? [...claim.tests, ...claim.valueTests] : claim.tests
    if (key === 'description' && value === claim.description?.text) return claim.description.otherwise
    return key.endsWith('tests') ? withoutTests(value, (name) => lost.includes(name)) : value
  })
}

/** Adapts claims about columns to their names in a person's SQL. */
export function describedAsNamed(
  entry: Named,
  {
    claims,
    names,
    sql,
  }: { readonly claims: Claims; readonly names: ColumnNames; readonly sql?: OwnSql | undefined },
): Named {
  const described = [...names].flatMap(([name, own]) => {
    const text = own && !sql?.columns.has(name) ? claims.columns.get(name)?.describeAs(own.name) : undefined
    return text === undefined ? [] : [[name, text] as const]
  })
  if (described.length === 0 || !Array.isArray(entry['columns'])) return entry
  const texts = new Map(described)
  const columns = entry['columns'].map((column: YamlValue) => {
    const text = isNamed(column) ? texts.get(column.name) : undefined
    if (!isNamed(column) || text === undefined) return column
    const { name, ...rest } = column
    return { name, ...rest, description: text }
  })
  return { ...entry, columns }
}

function withoutTests(list: YamlValue, isGone: (name: string) => boolean): YamlValue {
  if (!Array.isArray(list)) return list
  return list.filter((test: YamlValue) => {
    const [name = ''] = typeof test === 'string' ? [test] : Object.keys(asEntry(test))
    return !isGone(name)
  })
}

/** Changes the values of an entry, and drops keys without a value. */
function compact(entry: Named, change: (key: string, value: YamlValue) => YamlValue | undefined): Named {
  const pairs = Object.entries(entry).flatMap(([key, value]): readonly (readonly [string, YamlValue])[] => {
    const changed = change(key, value)
    return changed === undefined || (Array.isArray(changed) && changed.length === 0) ? [] : [[key, changed]]
  })
  return { ...Object.fromEntries(pairs), name: entry.name }
}

/** Returns the differences of a model that change claims about it. */
export function relevantSql(entry: Named, claims: Claims, { columns, rows }: OwnSql): OwnSql {
  const isContract = hasContract(entry)
  const described = Array.isArray(entry['columns']) ? entry['columns'].filter(isNamed) : []
  const changed = described.flatMap((column): readonly (readonly [string, 'cast' | 'other'])[] => {
    const way = columns.get(column.name)
    const own = columnWithoutClaims(column, claims, { way, isContract })
    return way !== undefined && !isDeepStrictEqual(own, column) ? [[column.name, way]] : []
  })
  const isSaid = (row: RowClaim | 'key'): boolean =>
    !isDeepStrictEqual(withoutClaims(entry, claims, { columns: new Map(), rows: new Set([row]) }), entry)
  return { columns: new Map(changed), rows: new Set([...rows].filter(isSaid)) }
}

function hasContract(entry: YamlEntry): boolean {
  return asEntry(asEntry(entry['config'])['contract'])['enforced'] === true
}
