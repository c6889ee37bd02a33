import { findRule } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { cleanText } from '../clean-text.ts'
import { macroNamed } from '../macros.ts'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, type Found, idOfColumn, isSame, lookUp } from '../resources.ts'
import { DBT_TESTS } from '../tools/explain.ts'

/** Names other relations that share a name of the question: `orders` is a model and the table of a source. */
export function namesakesOf(view: ProjectView, names: readonly Name[]): readonly string[] {
  return names.flatMap(({ found, text }) => {
    if (!found) return []
    const { column, node } = found
    const name = text.replaceAll(/[`"']/g, '')
    const others = view.lineage.nodes.filter(
      (other) =>
        other.id !== node.id &&
        (isSame(other.name, name) ||
          (other.kind === 'source' && isSame(other.name.replace(/^[^.]*\./, ''), name))),
    )
    if (column !== undefined || others.length === 0) return []
    const ids = others.slice(0, 5).map(({ id }) => id)
    return [
      cleanText(
        `${name} is taken to mean ${node.id}; to ask about another one, use its id: ${ids.join(', ')}`,
      ),
    ]
  })
}

export interface Name {
  /** As the question spells it. */
  readonly text: string
  readonly id: string
  /** @default it is the name of a macro */
  readonly found?: Found
}

const nameOf = (text: string, found: Found): Name => ({ text, id: idOf(found), found })

const TOKEN = /`([^`]+)`|"([^"]+)"|'([^'\s]+)'|([A-Za-z_][\w.:$-]*\w|[A-Za-z_])/g

/** A name with quotes and dots, as SQL writes it: `"Raw Shop".orders`. */
const SQL_NAME = /(?:["`][^"`]+["`]|[\w$]+)(?:\.(?:["`][^"`]+["`]|[\w$]+))+/g

/** Returns a question with ids in the place of names that are written as in SQL. */
export function withIds(view: ProjectView, question: string): string {
  return question.replaceAll(SQL_NAME, (name) => {
    const plain = name.replaceAll(/["`]/g, '')
    const found = plain === name ? undefined : lookUp(view, plain)
    return found ? idOf(found) : name
  })
}

/** Words of questions; a model with such a name must be quoted. */
export const COMMON: ReadonlySet<string> = new Set(
  `a about add all an and any are break breaks by can column columns could defined depend depends describe do does docs
  downstream drop dropped each exposure exposures field find fields for from gone has have how i if in is it its lineage
  list macro made me mean model models no not of on or overview project read reads remove removed rename renamed seed seeds
  should show snapshot snapshots source sources suggest table tables test tested tests that the there this to unused
  untested upstream use used uses we what when where which who will with without`.split(/\s+/),
)

/**
 * Finds the names of the project in a question, in its order. Column names that several relations have only count if
 * quoted or written with their relation.
 */
export function namesIn(view: ProjectView, question: string): readonly Name[] {
  const tokens = [...question.matchAll(TOKEN)].map(([whole, back, double, single, bare]) => ({
    text: back ?? double ?? single ?? bare ?? '',
    isQuoted: bare === undefined,
    whole,
  }))
  const named = tokens.flatMap(({ isQuoted, text, whole }): readonly Name[] => {
    if (!isQuoted && COMMON.has(text.toLowerCase())) return []
    const found = lookUp(view, text)
    if (found) return [nameOf(whole, found)]
    const macro = macroNamed(view, text)
    return macro === undefined ? [] : [{ text: whole, id: `macro.${macro}` }]
  })
  const [owner, ...others] = named
  if (owner?.found && others.length === 0 && owner.found.column === undefined) {
    const { node } = owner.found
    const inner = tokens.find(
      (token) => token.whole !== owner.text && isInner(view, { node, question, owner: owner.text, ...token }),
    )
    if (inner) return [nameOf(inner.whole, { node, column: inner.text }), owner]
  }
  return named.length > 0 ? named : tokens.flatMap((token) => bareColumn(view, token))
}

interface Inner extends Token {
  readonly question: string
  readonly node: Found['node']
  /** The relation as the question spells it. */
  readonly owner: string
}

/** Words of questions about origins. In them, a word that is a column of the relation means the column. */
const ORIGIN = /\b(?:comes?|coming|origins?|originates?|derived|computed|calculated)\b/i

/**
 * Returns true for a column of the relation. If not all of its columns are known, any name before the relation is one:
 * `email_address in fct_orders`.
 */
function isInner(view: ProjectView, { isQuoted, node, owner, question, text, whole }: Inner): boolean {
  if (!isQuoted && COMMON.has(text.toLowerCase())) return false
  const { columns, gaps } = columnsOf(view, node)
  const isKnown = columns.some(({ name }) => isSame(name, text))
  const isNamed = isQuoted || /^\w+_\w+$/.test(text)
  if (isKnown) return isNamed || /\bcolumns?\b/i.test(question) || ORIGIN.test(question)
  const isBefore = [' in ', ' of ', ' from ', ' on '].some((link) =>
    question.includes(`${whole}${link}${owner}`),
  )
  return gaps.length > 0 && isNamed && isBefore
}

interface Token {
  readonly text: string
  /** With its quotes. */
  readonly whole: string
  readonly isQuoted: boolean
}

/** Finds a column that is named without its relation, if only one relation has it. */
function bareColumn(view: ProjectView, { isQuoted, text, whole }: Token): readonly Name[] {
  if (!isQuoted && !/^\w+_\w+$/.test(text)) return []
  const owners = view.lineage.nodes.filter(
    (node) =>
      node.kind !== 'exposure' && columnsOf(view, node).columns.some(({ name }) => isSame(name, text)),
  )
  const [only] = owners
  if (!only) return []
  if (owners.length === 1) return [nameOf(whole, { node: only, column: text })]
  const shown = owners.slice(0, 8).map(({ name }) => `${name}.${text}`)
  throw StagecraftError.invalid(
    {
      path: 'question',
      expected: 'a column with its relation',
      received: JSON.stringify(cleanText(text, 100)),
    },
    { suggestion: cleanText(`${owners.length} relations are known to have one: ${shown.join(', ')}`) },
  )
}

function idOf({ column, node }: Found): string {
  return column === undefined ? node.id : idOfColumn(node, column)
}

/** Returns the rule, code or test that a question names. */
export function topicIn(question: string): string | undefined {
  const words = [...question.matchAll(/[A-Za-z][\w-]*/g)].map(([word]) => word)
  return words.find(
    (word) =>
      (/[-\d]/.test(word) && findRule(word) !== undefined) ||
      Object.hasOwn(WARNING_EXPLANATIONS, word) ||
      Object.hasOwn(ERROR_EXPLANATIONS, word) ||
      (word !== 'unique' && DBT_TESTS.has(word)) ||
      (word === 'unique' && /\btest\b/i.test(question)),
  )
}

/** Returns a word that looks like a name, but that the project does not have. */
export function unknownName(question: string, names: readonly Name[]): string | undefined {
  return [...question.matchAll(TOKEN)]
    .map(([text]) => text)
    .find((text) => /\w[_.:]\w|[`"]/.test(text) && !names.some((name) => name.text === text))
}
