import { findRule } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, type Found, idOfColumn, isSame, lookUp } from '../resources.ts'
import { DBT_TESTS } from '../tools/explain.ts'

/** Names other relations that share a name of the question: `orders` is a model and the table of a source. */
export function namesakesOf(view: ProjectView, names: readonly Name[]): readonly string[] {
  return names.flatMap(({ found: { column, node }, text }) => {
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
  readonly found: Found
}

const TOKEN = /`([^`]+)`|"([^"]+)"|'([^'\s]+)'|([A-Za-z_][\w.:$-]*\w|[A-Za-z_])/g

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
    return found ? [{ text: whole, found }] : []
  })
  const [owner, ...others] = named
  const isOfColumn = /\bcolumns?\b/i.test(question)
  if (owner && others.length === 0 && owner.found.column === undefined) {
    const inner = tokens.find(
      ({ isQuoted, text }) =>
        (isOfColumn || isQuoted) &&
        (isQuoted || !COMMON.has(text.toLowerCase())) &&
        columnsOf(view, owner.found.node).columns.some(({ name }) => isSame(name, text)),
    )
    if (inner) return [{ text: inner.whole, found: { node: owner.found.node, column: inner.text } }, owner]
  }
  return named.length > 0 ? named : tokens.flatMap((token) => bareColumn(view, token))
}

/** Finds a column that is named without its relation, if only one relation has it. */
function bareColumn(
  view: ProjectView,
  { isQuoted, text, whole }: { readonly text: string; readonly whole: string; readonly isQuoted: boolean },
): readonly Name[] {
  if (!isQuoted && !/^\w+_\w+$/.test(text)) return []
  const owners = view.lineage.nodes.filter(
    (node) =>
      node.kind !== 'exposure' && columnsOf(view, node).columns.some(({ name }) => isSame(name, text)),
  )
  const [only] = owners
  if (!only) return []
  if (owners.length === 1) return [{ text: whole, found: { node: only, column: text } }]
  const shown = owners.slice(0, 8).map(({ name }) => `${name}.${text}`)
  throw StagecraftError.invalid(
    {
      path: 'question',
      expected: 'a column with its relation',
      received: JSON.stringify(cleanText(text, 100)),
    },
    { suggestion: cleanText(`${owners.length} relations have one: ${shown.join(', ')}`) },
  )
}

export function idOf({ column, node }: Found): string {
  return column === undefined ? node.id : idOfColumn(node, column)
}

/** The rule, code or test that a question names. */
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

/** A word that looks like a name, which the project does not have. */
export function unknownName(question: string, names: readonly Name[]): string | undefined {
  return [...question.matchAll(TOKEN)]
    .map(([text]) => text)
    .find((text) => /\w[_.:]\w|[`"]/.test(text) && !names.some((name) => name.text === text))
}
