import { wordsOf } from '@stagecraft/core/run'
import { StagecraftError } from '@stagecraft/spec'
import type { Unread } from './senses.ts'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import type { Item, ToolResult } from '../tool.ts'
import { choose, factReader, kindsOf } from '../tools/conditions.ts'
import { type Listed, type ListedKind, listed } from '../tools/facts.ts'
import { listGaps } from '../tools/gaps.ts'
import { type Asked, type Intent, relationOf } from './intent.ts'
import { headOf, INTENTS } from './intents.ts'
import { COMMON, idOf, type Name, namesakesOf, namesIn, topicIn, unknownName } from './names.ts'
import { refuse } from './refuse.ts'
import { inputOf, isWhole, type KnownSet, readSetOf, saySet } from './set-question.ts'
import { inOtherWords, secondQuestionIn, wordsIn } from './spelling.ts'

/** The computed answer to a question. Every item has the file and line that prove it. */
export interface ComputedAnswer {
  readonly question: string
  /** The question as understood. */
  readonly readAs: string
  /** Always true: no language model was used. */
  readonly computedWithoutModel: true
  readonly tool: string
  readonly input: object
  /** The other fields of the tool's result: the resource, the meaning, counts. `count` answers "how many". */
  readonly head: Readonly<Record<string, unknown>>
  /** The noun of the count, singular or plural. */
  readonly counted: string
  readonly items: readonly Item[]
  /** Gaps in what is known, with their reasons. */
  readonly notes: readonly string[]
}

const LONGEST_QUESTION = 1000

/**
 * Answers a question by computing it from the files of a project.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a question of an unknown kind, and for one that lacks a required
 * name.
 */
export async function ask(view: ProjectView, question: string): Promise<ComputedAnswer> {
  if (question.length > LONGEST_QUESTION || question.trim() === '')
    throw StagecraftError.invalid({
      path: 'question',
      expected: `1 to ${LONGEST_QUESTION} characters`,
      received: `${question.trim().length}`,
    })
  const second = secondQuestionIn(question)
  if (second !== undefined) {
    const unread = { unread: second, isSecond: true } as const
    throw refuse(view, { question, isAskable: (one) => isAskable(view, one), unknown: undefined, unread })
  }
  const set = readSetOf(view, wordsIn(question))
  return !('unread' in set) && isAskedAsSet(set) ? askSet(view, question, set) : askForm(view, question, set)
}

/** The sources alone, and their number, are told with more by other tools. */
function isAskedAsSet({ isCount, kinds, where }: KnownSet): boolean {
  if (where.length > 0) return true
  return kinds.length > 0 && !(kinds.length === 1 && kinds[0] === 'source') && !(isCount && kinds.length > 1)
}

async function askSet(view: ProjectView, question: string, set: KnownSet): Promise<ComputedAnswer> {
  const input = inputOf(set)
  const { items, notes = [] } = await listGaps.all(view, input)
  return {
    question: cleanText(question, LONGEST_QUESTION),
    readAs: cleanText(saySet(set)),
    computedWithoutModel: true,
    tool: listGaps.name,
    input,
    head: set.isCount ? { count: items.length } : {},
    counted: items.length === 1 ? 'relation' : 'relations',
    items,
    notes,
  }
}

/** Answers a question of a form of its own, about what it names. */
async function askForm(
  view: ProjectView,
  question: string,
  read: KnownSet | Unread,
): Promise<ComputedAnswer> {
  const forms = formsOf(view, question)
  const { asked, fitting, names } = forms
  const meant = fitting.find(isRead)
  if (!meant) throw notUnderstood(view, question, { ...forms, read })
  const { intent, narrow } = meant
  const input = intent.input(asked)
  const result = await intent.tool.all(view, input)
  const kept = preferred(intent.keeps ? result.items.filter(intent.keeps) : result.items, intent)
  const { items, notes } = narrowed(view, kept.items, narrow)
  return {
    question: cleanText(question, LONGEST_QUESTION),
    readAs: cleanText(isWhole(narrow) ? intent.readAs(asked) : `${intent.readAs(asked)}; ${saySet(narrow)}`),
    computedWithoutModel: true,
    tool: intent.tool.name,
    input,
    head: headOfAnswer(result, items, narrow),
    counted: intent.counted[items.length === 1 ? 0 : 1],
    items,
    notes: [
      ...(asked.id === undefined ? [] : namesakesOf(view, names)),
      ...(result.notes ?? []),
      ...kept.notes,
      ...notes,
    ],
  }
}

function notUnderstood(
  view: ProjectView,
  question: string,
  { asked, fitting, names, read }: Forms & { readonly read: KnownSet | Unread },
): StagecraftError {
  const [first] = fitting
  const narrow = first?.narrow ?? read
  const nearest = first?.intent ?? INTENTS.find(({ pattern }) => pattern.test(asked.form))
  return refuse(view, {
    question,
    nearest: nearest?.example,
    isAskable: (example) => isAskable(view, example),
    unknown: unknownName(question, names),
    unread: 'unread' in narrow ? narrow : undefined,
  })
}

interface Forms {
  readonly asked: Asked
  readonly names: readonly Name[]
  /** The intents of whose form the question is, the first one meant. */
  readonly fitting: readonly Fitting[]
}

function formsOf(view: ProjectView, question: string): Forms {
  const names = namesIn(view, question)
  const asked = askedOf(question, names)
  const fitting = INTENTS.flatMap((intent) => {
    const narrow = narrowOf(view, intent, asked)
    return narrow ? [{ intent, narrow }] : []
  })
  return { asked, fitting, names }
}

/** Returns true for a question that is understood. */
function isAskable(view: ProjectView, question: string): boolean {
  const set = readSetOf(view, wordsIn(question))
  return (!('unread' in set) && isAskedAsSet(set)) || formsOf(view, question).fitting.some(isRead)
}

/** Leaves the items that answer the whole question, if there are any. */
function preferred(
  items: readonly Item[],
  { prefers }: Intent,
): { readonly items: readonly Item[]; readonly notes: readonly string[] } {
  const best = prefers ? items.filter(prefers.isWhole) : items
  if (best.length > 0 || items.length === 0 || !prefers) return { items: best, notes: [] }
  return { items, notes: [prefers.otherwise] }
}

interface Fitting {
  readonly intent: Intent
  readonly narrow: KnownSet | Unread
}

function isRead(fitting: Fitting): fitting is Fitting & { readonly narrow: KnownSet } {
  return !('unread' in fitting.narrow)
}

function headOfAnswer(
  result: ToolResult,
  items: readonly Item[],
  { isCount }: KnownSet,
): ComputedAnswer['head'] {
  const head = headOf(result)
  return isCount && !('counts' in head) ? { ...head, count: new Set(items.map(({ id }) => id)).size } : head
}

/** Leaves the items that the question asks for by kinds and conditions. */
function narrowed(
  view: ProjectView,
  items: readonly Item[],
  set: KnownSet,
): { readonly items: readonly Item[]; readonly notes: readonly string[] } {
  if (isWhole(set)) return { items, notes: [] }
  const found = new Set(items.map(({ id }) => relationOf(id)))
  const kinds = new Set<string>(set.kinds)
  const isAsked = ({ id, kind }: Listed): boolean => found.has(id) && (kinds.size === 0 || kinds.has(kind))
  const chosen = choose(factReader(view), { all: listed(view, false), where: set.where, isAsked })
  const ids = new Set(chosen.items.map(({ id }) => id))
  return { items: items.filter(({ id }) => ids.has(relationOf(id))), notes: chosen.notes }
}

/** Matches questions about rows, people, times or reasons, which no file of the project answers. */
const NOT_IN_FILES =
  /\b(?:rows?|average|avg|median|maximum|minimum|highest|lowest|how much|how long|how often|how fast|slow(?:est)?|fast(?:est)?|costs?|yesterday|today|tomorrow|last (?:week|month|year|run|night)|last run|who (?!uses|reads|depends|needs|directly|will complain))\b|^(?:please )?(?:write|generate|create|fix|change|run|build|delete|drop|add|rename|move|make|document|tag|refactor)\b/

/** A search has words of any kind; those of tests and gaps are none that names have. */
const NOT_SEARCHED = /\b(?:un|not )?(?:test(?:s|ed)?|used|documented)\b|\bundocumented\b/

/** What a question of a form asks for besides it; undefined when it is not of the form. */
function narrowOf(view: ProjectView, intent: Intent, asked: Asked): KnownSet | Unread | undefined {
  const { form, id, topic } = asked
  const { narrows = [], needs, pattern, words } = intent
  const whole: KnownSet = { isCount: false, kinds: [], where: [] }
  if (!pattern.test(form) || (NOT_IN_FILES.test(form) && needs !== 'topic')) return undefined
  if ((needs === 'id' && id === undefined) || (needs === 'topic' && topic === undefined)) return undefined
  if (words === 'any') return NOT_SEARCHED.test(form) || NEGATION.test(form) ? undefined : whole
  // several names, but the question takes at most one
  if (form.includes('‹name›') && (needs === 'no name' || (needs === undefined && id === undefined)))
    return undefined
  const isOwn = (word: string): boolean =>
    word === '‹name›' || word === topic?.toLowerCase() || words.has(word)
  const set = readSetOf(view, wordsIn(form), isOwn)
  if ('unread' in set) return set
  if (!isWhole(set) && !canChoose(set, narrows)) return { unread: saySet(set) }
  // what is counted has to be said: tests break too, and columns are no relations
  const isVague = set.isCount && narrows.length > 0 && set.kinds.length === 0
  return isVague ? { unread: 'how many' } : set
}

/** Returns true if what a question chooses can be among items of some kinds. */
function canChoose({ kinds, where }: KnownSet, narrows: readonly ListedKind[]): boolean {
  const possible = narrows.filter((kind) => kindsOf(where).includes(kind))
  return kinds.length === 0 ? possible.length > 0 : kinds.every((kind) => possible.includes(kind))
}

const NEGATION = /\b(?:not|never|except|without|no|nothing|nobody|other than)\b/

function askedOf(question: string, names: readonly Name[]): Asked {
  const relations = new Set(names.map(({ found }) => idOf(found)))
  const [first] = names
  const form = inOtherWords(names.reduce((text, name) => text.replace(name.text, '‹name›'), question.trim()))
    .replaceAll(/[`"'?!,]+|\.$/g, (mark) => (mark === "'" ? "'" : ''))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\bfields?\b/g, (word) => (word === 'field' ? 'column' : 'columns'))
    .trim()
  const topic = topicIn(question)
  // two different names mean two questions, unless the second is the relation of the first
  const isOne = relations.size <= 1 || names.every(({ found }) => found.node.id === first?.found.node.id)
  return {
    form,
    ...(first && isOne && { id: idOf(first.found) }),
    ...(topic !== undefined && { topic }),
    words: wordsOf(question.replaceAll(/['’]s\b/g, ''))
      .filter((word) => !COMMON.has(word) && !FORM_WORDS.has(word))
      .join(' '),
  }
}

/** Words of questions that are not search terms. */
const FORM_WORDS = new Set(
  'hold contain store stored say tell search look need want please where column field find keep kept we our'.split(
    ' ',
  ),
)
