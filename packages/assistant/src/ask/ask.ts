import { findRule, nearest } from '@stagecraft/analysis'
import { wordsOf } from '@stagecraft/core/run'
import { StagecraftError } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, type Found, idOfColumn, isSame, lookUp } from '../resources.ts'
import type { Item } from '../tool.ts'
import { DBT_TESTS } from '../tools/explain.ts'
import { searchProject } from '../tools/search.ts'
import { type Asked, headOf, type Intent, INTENTS } from './intents.ts'

/** The computed answer to a question. Every item has the file and line that prove it. */
export interface ComputedAnswer {
  readonly question: string
  /** The question as it was understood. */
  readonly readAs: string
  /** No language model had a part in it. */
  readonly computedWithoutModel: true
  readonly tool: string
  readonly input: object
  /** Everything that the tool says beside its items: the resource, the meaning, counts. */
  readonly head: Readonly<Record<string, unknown>>
  /** The noun of the count, in the number that fits. */
  readonly counted: string
  readonly items: readonly Item[]
  /** Gaps in what is known, with their reasons. */
  readonly notes: readonly string[]
}

/** Questions that can be asked, one of each kind. */
export const ASKABLE: readonly string[] = INTENTS.map(({ example }) => example)

const LONGEST_QUESTION = 1000

/**
 * Answers a question by computing it from the files of a project.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a question that is of no known kind, and for one without the name that it needs.
 */
export async function ask(view: ProjectView, question: string): Promise<ComputedAnswer> {
  if (question.length > LONGEST_QUESTION || question.trim() === '')
    throw StagecraftError.invalid({
      path: 'question',
      expected: `1 to ${LONGEST_QUESTION} characters`,
      received: `${question.trim().length}`,
    })
  const names = namesIn(view, question)
  const asked = askedOf(question, names)
  const intent = INTENTS.find((one) => isMeant(one, asked))
  const unknown = unknownName(question, names)
  if (!intent || (unknown !== undefined && intent.tool !== searchProject && asked.topic === undefined))
    throw notAskable(view, question, unknown)
  const input = intent.input(asked)
  const result = await intent.tool.all(view, input)
  const items = intent.keeps ? result.items.filter(intent.keeps) : result.items
  return {
    question: cleanText(question, LONGEST_QUESTION),
    readAs: cleanText(intent.readAs(asked)),
    computedWithoutModel: true,
    tool: intent.tool.name,
    input,
    head: headOf(result),
    counted: intent.counted[items.length === 1 ? 0 : 1],
    items,
    notes: [...(asked.id === undefined ? [] : namesakesOf(view, names)), ...(result.notes ?? [])],
  }
}

/** Asks for rows, people, times or reasons, which no file of the project tells. */
const NOT_IN_FILES =
  /\b(?:rows?|average|avg|median|maximum|minimum|highest|lowest|how much|how long|how often|how fast|slow(?:est)?|fast(?:est)?|costs?|yesterday|today|tomorrow|last (?:week|month|year|run|night)|why|last run|who (?!uses|reads|depends|needs))\b|^(?:please )?(?:write|generate|create|fix|change|run|build|delete|drop)\b/

const NEGATION = /\b(?:not|never|except|without|no|nothing|nobody|other than)\b|n't\b/

function isMeant({ isNegative = false, needs, pattern, tool }: Intent, { form, id, topic }: Asked): boolean {
  if (needs === 'topic' && topic !== undefined) return pattern.test(form)
  if (!pattern.test(form) || NOT_IN_FILES.test(form) || (NEGATION.test(form) && !isNegative)) return false
  if (needs === 'id') return id !== undefined
  if (needs === 'topic') return false
  // several names where at most one is understood
  return !form.includes('‹name›') || (needs === undefined && (id !== undefined || tool === searchProject))
}

/** Says which other relations go by a name of the question: `orders` is a model, and the table of a source too. */
function namesakesOf(view: ProjectView, names: readonly Name[]): readonly string[] {
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
        `${name} is read as ${node.id}; there is also ${ids.join(', ')}: name it by its id to ask about it`,
      ),
    ]
  })
}

interface Name {
  /** As the question spells it. */
  readonly text: string
  readonly found: Found
}

const TOKEN = /`([^`]+)`|"([^"]+)"|'([^'\s]+)'|([A-Za-z_][\w.:$-]*\w|[A-Za-z_])/g

/** Words of questions: a model of that name has to be put in quotes. */
const COMMON = new Set(
  `a about add all an and any are break breaks by can column columns could defined depend depends describe do does docs
  downstream drop dropped each exposure exposures field find fields for from gone has have how i if in is it its lineage
  list macro made me mean model models no not of on or overview project read reads remove removed rename renamed seed seeds
  should show snapshot snapshots source sources suggest table tables test tested tests that the there this to unused
  untested upstream use used uses we what when where which who will with without`.split(/\s+/),
)

/** The names of the project in a question, in its order; those of columns that two relations have count when they are quoted or named so. */
function namesIn(view: ProjectView, question: string): readonly Name[] {
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

/** A column that is named without its relation, if only one relation has it. */
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
    { suggestion: cleanText(`${owners.length} relations have it: ${shown.join(', ')}`) },
  )
}

function askedOf(question: string, names: readonly Name[]): Asked {
  const relations = new Set(names.map(({ found }) => idOf(found)))
  const [first] = names
  const form = names
    .reduce(
      (text, name) => text.replace(name.text, '‹name›'),
      question.trim().toLowerCase() === '' ? '' : question,
    )
    .toLowerCase()
    .replaceAll(/[`"'?!,]+|\.$/g, (mark) => (mark === "'" ? "'" : ''))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\bfields?\b/g, (word) => (word === 'field' ? 'column' : 'columns'))
    .trim()
  const topic = topicIn(question)
  // two different names are two questions, unless the second is the relation of the first
  const isOne = relations.size <= 1 || names.every(({ found }) => found.node.id === first?.found.node.id)
  return {
    form,
    ...(first && isOne && { id: idOf(first.found) }),
    ...(topic !== undefined && { topic }),
    words: wordsOf(question)
      .filter((word) => !COMMON.has(word) && !FORM_WORDS.has(word))
      .join(' '),
  }
}

/** Words of questions that are not looked for. */
const FORM_WORDS = new Set(
  'hold contain store stored say tell search look need want please where column field find keep kept we our'.split(
    ' ',
  ),
)

function idOf({ column, node }: Found): string {
  return column === undefined ? node.id : idOfColumn(node, column)
}

/** The rule, code or test that a question names. */
function topicIn(question: string): string | undefined {
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
function unknownName(question: string, names: readonly Name[]): string | undefined {
  return [...question.matchAll(TOKEN)]
    .map(([text]) => text)
    .find((text) => /\w[_.:]\w|[`"]/.test(text) && !names.some((name) => name.text === text))
}

function notAskable(view: ProjectView, question: string, unknown: string | undefined): StagecraftError {
  const known = view.lineage.nodes.map(({ name }) => name)
  const close = unknown === undefined ? undefined : nearest(unknown.replaceAll(/[`"']/g, ''), known)
  const hint =
    unknown === undefined
      ? ''
      : `the project has no ${cleanText(unknown, 100)}${close === undefined ? '' : `; the closest name is ${cleanText(close, 100)}`}. `
  return StagecraftError.invalid(
    {
      path: 'question',
      expected: 'a question that can be computed without a language model',
      received: JSON.stringify(cleanText(question, 200)),
    },
    { suggestion: `${hint}It can answer, about any name of the project:\n  ${ASKABLE.join('\n  ')}` },
  )
}
