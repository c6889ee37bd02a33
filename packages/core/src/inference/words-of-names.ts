import type { CatalogTable, Column } from '@stagecraft/spec'
import { turnNumber } from '../naming/entity.ts'
import { createVocabulary, isWholeWord, splitWord, toSnakeCase, type Vocabulary } from '../naming/tokens.ts'

/** The words of a name, in lower case and in the singular. */
export interface NameWords {
  readonly words: readonly string[]
  /** The words joined, because people write `zip_code` and `zipcode`. */
  readonly whole: string
}

/** The words of a column that may be a key. */
export interface ColumnWords extends NameWords {
  /** `id` of `customer_id`; empty if keys do not end with the last word. */
  readonly ending: string
  /** The words before the ending; all words without one. */
  readonly stem: NameWords
  /** True if the last word was in the plural: such columns count or list. */
  readonly isPlural: boolean
}

/** Reads the names of one set of tables, and ignores their shared prefixes. */
export interface NameReader {
  table(table: CatalogTable): NameWords
  column(table: CatalogTable, column: Column): ColumnWords
}

/** Words for the layer or the purpose of a table. */
const LAYER_WORDS: ReadonlySet<string> = new Set('raw stg staging src dim fct fact tbl tb t vw'.split(' '))
const TABLE_ENDINGS: ReadonlySet<string> = new Set('dim tbl table fact'.split(' '))

/** Last words of columns that identify something. */
const KEY_ENDINGS: ReadonlySet<string> = new Set(
  'id key code cd nbr no nr num number sk uuid guid pk fk ref gid'.split(' '),
)

export function readNames(tables: readonly CatalogTable[]): NameReader {
  const vocabulary = createVocabulary([])
  const shared = sharedWord(tables.map(({ name }) => wordsOf(name, vocabulary)))
  const prefixes = new Map(tables.map((table) => [table, columnPrefix(table.columns, vocabulary)] as const))
  const named = new Map<CatalogTable, NameWords>()
  return {
    table(table) {
      const known = named.get(table)
      if (known) return known
      const read = nameWords(withoutLayer(wordsOf(table.name, vocabulary), shared))
      named.set(table, read)
      return read
    },
    column(table, { name }) {
      const words = wordsOf(name, vocabulary)
      const own = words.length > 1 && words[0] === prefixes.get(table) ? words.slice(1) : words
      return { ...columnWords(own), isPlural: !toSnakeCase(name).endsWith(own.at(-1) ?? '') }
    },
  }
}

function nameWords(words: readonly string[]): NameWords {
  return { words, whole: words.join('') }
}

function columnWords(words: readonly string[]): Omit<ColumnWords, 'isPlural'> {
  const last = words.at(-1) ?? ''
  const glued = /^(?<head>[a-z]{3,}?)(?<tail>id|key|sk)$/.exec(last)?.groups
  if (KEY_ENDINGS.has(last)) return { ...nameWords(words), ending: last, stem: nameWords(words.slice(0, -1)) }
  if (glued?.['head'] !== undefined && glued['tail'] !== undefined && !ENDS_LIKE_A_KEY.has(last)) {
    const stem = [...words.slice(0, -1), singular(glued['head'])]
    return { ...nameWords(words), ending: glued['tail'], stem: nameWords(stem) }
  }
  return { ...nameWords(words), ending: '', stem: nameWords(words) }
}

/** Words that end like a run-together key, but are not one. */
const ENDS_LIKE_A_KEY: ReadonlySet<string> = new Set(
  'paid valid invalid bid grid android void avoid covid turkey monkey hockey whiskey solid liquid hybrid rapid fluid asteroid madrid task risk disk mask desk'.split(
    ' ',
  ),
)

function wordsOf(name: string, vocabulary: Vocabulary): readonly string[] {
  return toSnakeCase(name)
    .split('_')
    .flatMap((word) => splitWord(word, vocabulary))
    .filter(Boolean)
    .map(singular)
}

/** Returns the singular, even of unknown words: names are only compared here. */
function singular(word: string): string {
  const known = turnNumber(word, 'singular')
  if (known !== word || word.length < 4) return known
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<=[^su])s$/, '')
}

function withoutLayer(words: readonly string[], shared: string | undefined): readonly string[] {
  const [first = ''] = words
  const drops = words.length > 1 && (LAYER_WORDS.has(first) || first === shared)
  const rest = drops ? words.slice(1) : words
  return rest.length > 1 && TABLE_ENDINGS.has(rest.at(-1) ?? '') ? rest.slice(0, -1) : rest
}

/** Returns the first word of all table names, if at least three share it and each has other words too. */
function sharedWord(names: readonly (readonly string[])[]): string | undefined {
  const [first, ...others] = new Set(names.map(([word]) => word))
  const isShared = names.length > 2 && others.length === 0 && names.every((words) => words.length > 1)
  return isShared ? first : undefined
}

/** Returns the prefix that all columns share, such as `l` in `lineitem`; a meaningful word is not a prefix. */
function columnPrefix(columns: readonly Column[], vocabulary: Vocabulary): string | undefined {
  const [prefix = '', ...others] = new Set(columns.map(({ name }) => toSnakeCase(name).split('_')[0] ?? ''))
  const isPrefix = columns.length > 1 && others.length === 0 && prefix.length <= 4
  return isPrefix && !isWholeWord(prefix, vocabulary) ? prefix : undefined
}
