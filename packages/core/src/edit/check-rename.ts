import type { Family } from '@stagecraft/dialects'
import { ABBREVIATIONS, JOINTS, ROLES, SYNONYMS, TRANSLATIONS } from '../naming/abbreviations.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { isOfKey } from './check-conversion.ts'
import { isFlag } from './column-words.ts'
import type { EditSubject } from './task.ts'

/**
 * Returns true if a new name says the same as the raw one: its words come back whole, shortened, translated
 * or as a synonym, and no other word is added. Words from the configuration, from the project and from the
 * warehouse's comment count as well.
 */
export function isRenameOf(name: string, staged: StagedColumn, subject: EditSubject): boolean {
  const stored = staged.column?.name ?? ''
  const raw = toSnakeCase(stored)
  if (name === staged.name || name === raw || isOfHouse(name, stored, subject)) return true
  const evidence = evidenceFor(stored, subject, staged)
  const words = wordsOf(name)
  const rawWords = wordsOf(raw)
  const told = words.filter((word) => rawWords.some((from) => saysPart(word, from, words, subject)))
  const runs =
    runsTogether(name, raw) ||
    rawWords.some((from) => isContent(from) && words.some((word) => saysPart(word, from, words, subject)))
  const isTold = runs || rawWords.every((word) => !isContent(word)) || commented(words, evidence).length > 0
  if (!isTold) return false
  return words.every(
    (word) =>
      told.includes(word) ||
      JOINTS.has(word) ||
      told.some((other) => COMPANIONS.get(other)?.includes(word)) ||
      raw.replaceAll('_', '').includes(word) ||
      evidence.words.has(singular(word)) ||
      rolesOf(staged, raw, subject).has(word),
  )
}

interface Evidence {
  /** Words of the table and of the comment, in the singular. */
  readonly words: ReadonlySet<string>
  readonly comment: ReadonlySet<string>
}

function evidenceFor(stored: string, { subject }: EditSubject, { column }: StagedColumn): Evidence {
  const comment = wordsOf(toSnakeCase(column?.comment ?? '')).map(singular)
  const table = [...wordsOf(toSnakeCase(subject.name.table)), ...wordsOf(subject.entity.singular)].map(
    singular,
  )
  const own = new Set(wordsOf(toSnakeCase(stored)))
  const siblings = new Set(
    subject.columns.filter(({ name }) => name !== stored).map(({ name }) => toSnakeCase(name)),
  )
  // A word of the table that is another column's name would take that one's place.
  const entity = table.filter((word) => own.has(word) || !siblings.has(word))
  return { words: new Set([...entity, ...comment]), comment: new Set(comment) }
}

function commented(words: readonly string[], { comment }: Evidence): readonly string[] {
  return words.filter((word) => isContent(word) && comment.has(singular(word)))
}

function isOfHouse(name: string, stored: string, { subject }: EditSubject): boolean {
  const { renames = [] } = subject.settings.project?.style ?? {}
  return renames.some(([column, given]) => given === name && column.toLowerCase() === stored.toLowerCase())
}

/** Roles that may be added: those of the column's kind. */
function rolesOf(staged: StagedColumn, raw: string, subject: EditSubject): ReadonlySet<string> {
  const { column, family, name } = staged
  const kinds = KINDS.filter(([, families]) => families.includes(family)).map(([kind]) => kind)
  const identifies = /(?:^|_)(?:id|key|no|num|nbr|nr|number|code|cd|sk|pk|fk|ref|uuid|guid)$/.test(raw)
  const truth = isFlag(raw) || isFlag(name)
  const moment = /(?:^|_)(?:dt|date|ts|time|timestamp|at|on|tm|day|dtm|datetime)(?:_|$)/.test(raw)
  const all = [
    ...kinds,
    ...(identifies || isOfKey(staged, subject) || column?.type.toLowerCase() === 'uuid'
      ? (['identifier'] as const)
      : []),
    ...(truth ? (['truth'] as const) : []),
    ...(moment ? (['moment'] as const) : []),
  ]
  return new Set(all.flatMap((kind) => [...ROLES[kind]]))
}

const KINDS: readonly (readonly [keyof typeof ROLES, readonly Family[]])[] = [
  ['moment', ['date', 'time', 'timestamp_ntz', 'timestamp_tz']],
  ['truth', ['boolean']],
  ['number', ['integer', 'decimal', 'float']],
  ['text', ['string']],
]

const ALL_ROLES: ReadonlySet<string> = new Set(Object.values(ROLES).flatMap((words) => [...words]))

function isContent(word: string): boolean {
  return !ALL_ROLES.has(word) && !JOINTS.has(word) && !/^\d+$/.test(word)
}

function wordsOf(name: string): readonly string[] {
  return name.split(/_+|(?<=[a-z])(?=\d)/).filter((word) => word !== '')
}

/** Words that add nothing to the word beside them. */
const COMPANIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['email', ['address']],
  ['ip', ['address']],
  ['mac', ['address']],
  ['address', ['line']],
  ['street', ['address']],
  ['postal', ['code']],
  ['invoice', ['document']],
])

/** Returns true if a word stands for one of the raw name, or for a part of two words run together. */
function saysPart(word: string, raw: string, words: readonly string[], subject: EditSubject): boolean {
  if (says(word, raw, subject)) return true
  for (let at = 3; at <= raw.length - 3; at += 1) {
    const parts = [raw.slice(0, at), raw.slice(at)]
    const areSaid = parts.every((part) => words.some((other) => isKnownFor(other, part, subject)))
    if (areSaid && parts.some((part) => isKnownFor(word, part, subject))) return true
  }
  return false
}

/** A part of a word is known by the tables, or is the word itself; to leave letters out twice would be a guess. */
function isKnownFor(word: string, part: string, subject: EditSubject): boolean {
  const isListed = ABBREVIATIONS.has(part) || TRANSLATIONS.has(part)
  return singular(word) === singular(part) || (isListed && says(word, part, subject))
}

/** Returns true if a word of a new name may stand for one of the raw name. */
function says(word: string, raw: string, { subject }: EditSubject): boolean {
  const [one, other] = [singular(word), singular(raw)]
  if (one === other || stem(one) === stem(other)) return true
  const { glossary } = subject.settings.naming
  const meanings = [
    ...(ABBREVIATIONS.get(raw) ?? []),
    ...(TRANSLATIONS.get(raw) ?? []),
    ...wordsOf(toSnakeCase(Object.hasOwn(glossary, raw) ? (glossary[raw] ?? '') : '')),
  ]
  if (meanings.some((meaning) => singular(meaning) === one || stem(singular(meaning)) === stem(one)))
    return true
  if (
    SYNONYMS.some((words) => words.has(one) && (words.has(other) || meanings.some((each) => words.has(each))))
  )
    return true
  return shortens(other, one)
}

/** `cust` is short for `customer`: it begins as the word does and leaves letters out. */
function shortens(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false
  if (long.startsWith(short)) return short.length >= 3
  let at = 0
  for (const letter of short) {
    at = long.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  // Consonants stay when a word is shortened: `emp` is no `template`, and `cty` no `category`.
  const consonants = long.replace(/[aeiouy]/g, '')
  return short.length >= 3 && consonants.length - short.replace(/[aeiouy]/g, '').length <= 2
}

/** `custname` as `customer_name`: the words follow one another in the letters of the raw name. */
function runsTogether(name: string, raw: string): boolean {
  return name.replaceAll('_', '') === raw.replaceAll('_', '')
}

function singular(word: string): string {
  if (word.length <= 3 || /(?:ss|us|is|news)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** Without its ending, where four letters or more are left: `order` and `ordered` are one word, `or` is another. */
function stem(word: string): string {
  const endings = ['ation', 'tion', 'ion', 'ing', 'ment', 'ed', 'er', 'e']
  const ending = endings.find((each) => word.endsWith(each) && word.length - each.length >= 4)
  return ending === undefined ? word : word.slice(0, -ending.length)
}
