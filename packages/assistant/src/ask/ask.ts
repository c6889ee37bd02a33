import { StagecraftError } from '@stagecraft/spec'
import type { Unread } from './senses.ts'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import type { Item, ToolResult } from '../tool.ts'
import { choose, type Condition, factReader, kindsOf } from '../tools/conditions.ts'
import { type Listed, type ListedKind, listed } from '../tools/listed.ts'
import { listGaps } from '../tools/gaps.ts'
import { isOfRelatives } from '../tools/relatives.ts'
import { type ParsedQuestion, type Intent, relationOf } from './intent.ts'
import { headOf, INTENTS } from './intents.ts'
import { parseQuestion, EACH } from './parse-question.ts'
import { type Name, namesakesOf, namesIn, unknownName, withIds } from './names.ts'
import { askPair, askTests, askValues, type OtherAnswer } from './other-questions.ts'
import { refuse } from './refuse.ts'
import { inputOf, isWhole, type KnownSet, readSetOf, printSet } from './set-question.ts'
import { secondQuestionIn, wordsIn } from './spelling.ts'

/** The computed answer to a question. Every item has the file and line that prove it. */
export interface ComputedAnswer extends OtherAnswer {
  readonly question: string
  /** Always true: no language model was used. */
  readonly computedWithoutModel: true
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
  const answer = await askPlain(view, withIds(view, question))
  return { ...answer, question: cleanText(question, LONGEST_QUESTION) }
}

async function askPlain(view: ProjectView, question: string): Promise<ComputedAnswer> {
  const second = secondQuestionIn(question)
  if (second !== undefined) {
    const unread = { unread: second, isSecond: true } as const
    throw refuse(view, { question, isAskable: (one) => isAskable(view, one), unknown: undefined, unread })
  }
  const set = readSetOf(view, wordsIn(question))
  if ('unread' in set || !isAskedAsSet(set)) return askOtherForm(view, question, set)
  // the forms of one relation tell more: how it is made, by which column
  const isOfOne = set.where.length === 1 && set.where[0]?.every(isPlainRelative)
  return isOfOne && formsOf(view, question).fitting.some(isRead)
    ? askForm(view, question, set)
    : askSet(view, question, set)
}

async function askOtherForm(
  view: ProjectView,
  question: string,
  set: KnownSet | Unread,
): Promise<ComputedAnswer> {
  const names = namesIn(view, question)
  const { form } = parseQuestion(question, names)
  const other =
    (await askValues(view, form)) ?? (await askTests(view, form, names)) ?? (await askPair(view, form, names))
  if (!other) return askForm(view, question, set)
  return { question: cleanText(question, LONGEST_QUESTION), computedWithoutModel: true, ...other }
}

function isPlainRelative({ compare, fact }: Condition): boolean {
  // the forms take `used by ‹name›` for its readers
  return ((isOfRelatives(fact) && fact !== 'readby') || fact === 'macro') && compare === '='
}

/** Other tools tell more about all sources and their number. */
function isAskedAsSet({ isCount, kinds, rank, where }: KnownSet): boolean {
  // `get_resource` tells more about the columns of one relation
  const [first = [], ...others] = where
  const isOfOne = first.length === 1 && first[0]?.fact === 'of' && others.length === 0
  if (isOfOne && kinds[0] === 'column' && !isCount) return false
  if (where.length > 0 || rank) return true
  return kinds.length > 0 && !(kinds.length === 1 && kinds[0] === 'source') && !(isCount && kinds.length > 1)
}

/** The noun for the items of a set. */
function countedIn({ kinds }: KnownSet, count: number): string {
  const [only, ...others] = kinds
  const noun = others.length === 0 && (only === 'column' || only === 'macro') ? only : 'relation'
  return count === 1 ? noun : `${noun}s`
}

async function askSet(view: ProjectView, question: string, set: KnownSet): Promise<ComputedAnswer> {
  const input = inputOf(set)
  const { items, notes = [] } = await listGaps.all(view, input)
  return {
    question: cleanText(question, LONGEST_QUESTION),
    readAs: cleanText(printSet(set)),
    computedWithoutModel: true,
    tool: listGaps.name,
    input,
    head: set.isCount ? { count: items.length } : {},
    counted: countedIn(set, items.length),
    items,
    notes,
  }
}

/** Answers a question that has one of the forms of `INTENTS`. */
async function askForm(
  view: ProjectView,
  question: string,
  read: KnownSet | Unread,
): Promise<ComputedAnswer> {
  const forms = formsOf(view, question)
  const { fitting, names } = forms
  const meant = fitting.find(isRead)
  if (!meant) throw notUnderstood(view, question, { ...forms, read })
  const { asked, intent, narrow } = meant
  const inputs = eachOf(asked).map(intent.input)
  const results: ToolResult[] = []
  for (const input of inputs) results.push(await intent.tool.all(view, input))
  const found = results.flatMap((result) => result.items)
  const kept = preferred(intent.keeps ? found.filter(intent.keeps) : found, intent, asked)
  const { items, notes } = narrowed(view, kept.items, narrow)
  return {
    question: cleanText(question, LONGEST_QUESTION),
    readAs: cleanText(
      isWhole(narrow) ? intent.readAs(asked) : `${intent.readAs(asked)}; ${printSet(narrow)}`,
    ),
    computedWithoutModel: true,
    tool: intent.tool.name,
    input: inputs.length === 1 ? (inputs[0] ?? {}) : inputs,
    head: results.length === 1 && results[0] ? headOfAnswer(results[0], items, narrow) : {},
    counted: intent.counted[items.length === 1 ? 0 : 1],
    items,
    notes: [
      ...(asked.id === undefined ? [] : namesakesOf(view, names)),
      ...new Set(results.flatMap(({ notes: own = [] }) => own)),
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
  readonly asked: ParsedQuestion
  readonly names: readonly Name[]
  /** The intents whose form the question has. The first is meant. */
  readonly fitting: readonly Fitting[]
}

function formsOf(view: ProjectView, question: string): Forms {
  const names = namesIn(view, question)
  const asked = parseQuestion(question, names)
  const fitting = INTENTS.flatMap((intent) => {
    const meant = ofEach(intent, asked)
    const narrow = meant && narrowOf(view, intent, meant)
    return narrow ? [{ asked: meant, intent, narrow }] : []
  })
  return { asked, fitting, names }
}

/** Returns true for a question that is understood. */
function isAskable(view: ProjectView, question: string): boolean {
  const set = readSetOf(view, wordsIn(question))
  return (!('unread' in set) && isAskedAsSet(set)) || formsOf(view, question).fitting.some(isRead)
}

/** Keeps the items that answer the question best. */
function preferred(
  items: readonly Item[],
  { prefers }: Intent,
  asked: ParsedQuestion,
): { readonly items: readonly Item[]; readonly notes: readonly string[] } {
  if (!prefers) return { items, notes: [] }
  for (const { isOf, note } of prefers) {
    const best = items.filter((item) => isOf(item, asked))
    if (best.length > 0) return { items: best, notes: note === undefined ? [] : [note] }
  }
  return { items: [], notes: items.length > 0 ? ['no name or description has what these words say'] : [] }
}

/** Replaces several names by one that stands for each; undefined if the intent takes only one name. */
function ofEach({ isOfEach }: Intent, asked: ParsedQuestion): ParsedQuestion | undefined {
  const { form, ids } = asked
  if (!form.includes(EACH)) return asked
  const one = form.replace(EACH, '‹name›')
  const isOnly = !form.includes('‹name›') && !one.includes(EACH)
  if (
    !isOfEach ||
    !isOnly ||
    ids.some((id) => id.startsWith('macro.')) ||
    /^how many|\bcount\b|\bnumber of\b/.test(form)
  )
    return undefined
  return { ...asked, form: one, id: ids.join(' and ') }
}

/** Returns one question for each name. */
function eachOf(asked: ParsedQuestion): readonly ParsedQuestion[] {
  const isOne = asked.id === undefined || asked.ids.includes(asked.id)
  return isOne ? [asked] : asked.ids.map((id) => ({ ...asked, id }))
}

interface Fitting {
  /** The question as the intent takes it. */
  readonly asked: ParsedQuestion
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

/** Keeps the items that have the kinds and meet the conditions of the question. */
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

/** Matches questions about rows, people, times and reasons. No file of the project answers them. */
const NOT_IN_FILES =
  /\b(?:rows?|average|avg|median|maximum|minimum|highest|lowest|how much|how long|how often|how fast|slow(?:est)?|fast(?:est)?|costs?|yesterday|today|tomorrow|last (?:week|month|year|run|night)|last run|who (?!owns|(?:should|can|do|could) (?:i|we) (?:ask|contact)|is the owner|is owner|uses|reads|depends|needs|directly|will complain))\b|^(?:please )?(?:write|generate|create|fix|change|run|build|delete|drop|add|rename|move|make|document|tag|refactor)\b/

/** Words that ask for a set, so the question is not a search. */
const NOT_SEARCHED = /\b(?:un|not )?(?:test(?:s|ed)?|used|documented)\b|\bundocumented\b/

/** Returns the set that a question of a form asks for; undefined if it does not have the form. */
function narrowOf(view: ProjectView, intent: Intent, asked: ParsedQuestion): KnownSet | Unread | undefined {
  const { form, id, topic } = asked
  const { narrows = [], needs, pattern, takesMacros = false, words } = intent
  const isOfMacro = id?.startsWith('macro.') === true
  if (isOfMacro && (!takesMacros || /\b(?:in)?direct|\bdo(?:es)? ‹name›/.test(form))) return undefined
  if (!isOfMacro && /\bcall(?:s|ed|ers?)?\b/.test(form) && takesMacros) return undefined
  const whole: KnownSet = { isCount: false, kinds: [], where: [] }
  if (!pattern.test(form) || (NOT_IN_FILES.test(form) && needs !== 'topic')) return undefined
  if ((needs === 'id' && id === undefined) || (needs === 'topic' && topic === undefined)) return undefined
  if (words === 'any') return NOT_SEARCHED.test(form) || NEGATION.test(form) ? undefined : whole
  // several names, but the question takes at most one
  if (form.includes('‹name›') && (needs === 'no name' || (needs === undefined && id === undefined)))
    return undefined
  const isOfColumn = id?.includes(':') === true
  const isOwn = (word: string): boolean =>
    word === '‹name›' ||
    (id !== undefined && /^its?$/.test(word)) ||
    (isOfColumn && /^columns?$/.test(word)) ||
    (needs === 'topic' && word === topic?.toLowerCase()) ||
    words.has(word)
  const set = readSetOf(view, wordsIn(form), isOwn)
  if ('unread' in set) return set
  if (!isWhole(set) && !canChoose(set, narrows)) return { unread: printSet(set) }
  // the question must say what to count, because tests break too
  const isVague = set.isCount && narrows.length > 0 && set.kinds.length === 0
  return isVague ? { unread: 'how many' } : set
}

/** Returns true if items of some kinds can be in the set. */
function canChoose({ kinds, rank, where }: KnownSet, narrows: readonly ListedKind[]): boolean {
  if (rank) return false
  const possible = narrows.filter((kind) => kindsOf(where).includes(kind))
  return kinds.length === 0 ? possible.length > 0 : kinds.every((kind) => possible.includes(kind))
}

const NEGATION = /\b(?:not|never|except|without|no|nothing|nobody|other than)\b/
