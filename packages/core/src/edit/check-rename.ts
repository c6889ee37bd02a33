import type { Family } from '@stagecraft/dialects'
import { ABBREVIATIONS, JOINTS, ROLES } from '../naming/abbreviations.ts'
import { splitWord, toSnakeCase } from '../naming/tokens.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { isOfKey } from './check-conversion.ts'
import { isFlag } from './column-words.ts'
import { claimsOther } from './name-claims.ts'
import * as known from './rename-data.ts'
import { type NamedPart, withoutQuery, wordOfPair } from './named-parts.ts'
import { isContent, isWritten, partsOfName, saysPart, singular, wordsTogether } from './rename-words.ts'
import type { EditSubject } from './task.ts'
import { isUnitWord, mayBeDropped } from './units.ts'
import { EPOCH_WORDS } from '../naming/rules.ts'

/** A new name that is compared with the raw one. */
interface Renaming {
  readonly staged: StagedColumn
  readonly subject: EditSubject
  /** The family that the column will have. */
  readonly family: Family
  /** True if the values are converted, so that the unit in the name may be another. */
  readonly isConverted: boolean
  /** The words of what an expression gives: a key of a document, `prefix`, `hash`, the place of a zone. */
  readonly partWords: ReadonlySet<string>
  readonly part: NamedPart
  /** The words of the new name. */
  readonly words: readonly string[]
  readonly raw: string
  readonly rawWords: readonly string[]
  readonly evidence: Evidence
}

/**
 * Returns true if a new name means the same as the raw one. Each word of the raw name must come back: whole,
 * shortened, translated or as a synonym. No word may be added, and the name may not imply a type other than
 * the planned family. Words from the configuration, from the project and from the warehouse's comment count
 * as well.
 */
export function isRenameOf(
  name: string,
  staged: StagedColumn,
  {
    family,
    isConverted,
    part,
    partWords,
    subject,
  }: Pick<Renaming, 'family' | 'isConverted' | 'part' | 'partWords' | 'subject'>,
): boolean {
  const stored = staged.column?.name ?? ''
  const raw = toSnakeCase(stored)
  const isRuled = name === staged.name && family === staged.family
  if (isRuled || name === raw || isOfHouse(name, stored, subject)) return true
  const rawWords = wordsOfRaw(raw, subject)
  const renaming: Renaming = {
    staged,
    subject,
    family,
    isConverted,
    partWords,
    part,
    words: wordsOfNew(name, { part, rawWords, subject }),
    raw,
    rawWords,
    evidence: evidenceFor(stored, subject, staged),
  }
  return (
    isSupported(renaming) &&
    addsNothing(renaming) &&
    keepsWords(renaming) &&
    keepsDirection(renaming) &&
    keepsNumbers(renaming) &&
    keepsPlace(renaming) &&
    !claimsOther(renaming.words, family, claimOf(renaming))
  )
}

/** Returns the words of a new name, with those of the raw name in place of what says the same. */
function wordsOfNew(
  name: string,
  { part, rawWords, subject }: Pick<Renaming, 'part' | 'rawWords' | 'subject'>,
): readonly string[] {
  const words = partsOfName(name).flatMap((word) => wordsTogether(word, rawWords, subject))
  const isAddress = rawWords.some((word) => ADDRESSES.has(word))
  const said = part.cutsQuery && isAddress ? withoutQuery(words) : words
  // the full name is first and last
  const isPair = ['first', 'last', 'name'].every((word) => rawWords.includes(word))
  return isPair && said.includes('name')
    ? said.flatMap((word) => (word === 'full' ? ['first', 'last'] : word))
    : said
}

function claimOf({ raw, rawWords, staged }: Renaming) {
  return { words: rawWords, isFlag: isFlag(raw), type: staged.column?.type ?? '' }
}

/** Returns the words of a raw name, including those that are written together: `lastmodifieddate`. */
function wordsOfRaw(raw: string, { subject }: EditSubject): readonly string[] {
  const { vocabulary } = subject.settings
  return [
    ...new Set(
      partsOfName(raw).flatMap((word) => (ABBREVIATIONS.has(word) ? [word] : splitWord(word, vocabulary))),
    ),
  ]
}

/**
 * Returns true if the name shares a word with the raw one, or with the comment if the raw one has no meaning.
 */
function isSupported({ evidence, isConverted, raw, rawWords, subject, words }: Renaming): boolean {
  const isInName = rawWords.some(
    (from) => isContent(from) && words.some((word) => saysPart(word, from, words, subject)),
  )
  return (
    isInName ||
    words.join('') === raw.replaceAll('_', '') ||
    rawWords.every((word) => !isContent(word) || (isConverted && saysUnit(word))) ||
    words.some((word) => isContent(word) && evidence.comment.has(singular(word)))
  )
}

function addsNothing(renaming: Renaming): boolean {
  const { evidence, isConverted, partWords, raw, rawWords, subject, words } = renaming
  const supported = words.filter((word, index) =>
    // `time_zone` is a timezone
    [word, `${word}${words[index + 1] ?? ''}`, `${words[index - 1] ?? ''}${word}`].some((one) =>
      rawWords.some((from) => saysPart(one, from, words, subject)),
    ),
  )
  const roles = rolesOf(renaming)
  return words.every(
    (word) =>
      supported.includes(word) ||
      partWords.has(word) ||
      (isConverted && isUnitWord(word)) ||
      (JOINTS.has(word) && !known.DIRECTIONS.has(word)) ||
      supported.some((other) => known.COMPANIONS.get(other)?.includes(word)) ||
      isLettersOf(word, raw, subject) ||
      (evidence.words.has(singular(word)) && !known.NEGATIONS.has(word)) ||
      roles.has(word) ||
      (word === 'by' && namesActor(renaming)) ||
      (known.COUNTS.has(word) && known.COUNTERS.has(rawWords[0] ?? '') && rawWords.length > 1),
  )
}

/**
 * Finds `email` in `e_mail`, and `name` in `wpname`; but not `subscribed` in `unsubscribed`, which is a word
 * of its own.
 */
function isLettersOf(word: string, raw: string, subject: EditSubject): boolean {
  const parts = raw.split(/_+/)
  const runs = parts.flatMap((_, from) =>
    parts.slice(from).map((__, to) => parts.slice(from, from + to + 1).join('')),
  )
  if (runs.includes(word)) return true
  return parts.some((part) => {
    if (word.length < 3 || isWritten(part, subject)) return false
    const rest = part.endsWith(word)
      ? part.slice(0, -word.length)
      : part.startsWith(word)
        ? part.slice(word.length)
        : undefined
    return rest !== undefined && !known.OPPOSITES.has(rest)
  })
}

/** Returns true if every written-out word is kept, unless the table or another word says the same. */
function keepsWords(renaming: Renaming): boolean {
  const { evidence, isConverted, part, partWords, raw, rawWords, subject, words } = renaming
  const taken = wordOfPair(rawWords, part)
  if (taken !== undefined && !words.includes(taken)) return false
  const isPiece = words.some((word) => partWords.has(word) && !rawWords.includes(word))
  return rawWords.every((from, index) => {
    // a piece of a URL is none
    if (isPiece && ADDRESSES.has(from)) return true
    if (taken !== undefined && from !== taken && (from === 'first' || from === 'last')) return true
    // after another word and before `of`, `no` means number
    const isNegation = known.NEGATIONS.has(from) && (from !== 'no' || (index === 0 && rawWords[1] !== 'of'))
    if (isNegation) return words.some((word) => known.NEGATIONS.has(word))
    if (!mustStay(from, subject) || (isConverted && isDropped(from, words))) return true
    const isInName = words.some((word) => saysPart(word, from, words, subject) || holds(word, from))
    return (
      isInName ||
      (known.PERSONS.has(from) && words.at(-1) === 'by' && namesActor(renaming)) ||
      evidence.table.has(singular(from)) ||
      isShared(from, raw, subject) ||
      rawWords.some((other) => known.COMPANIONS.get(other)?.includes(from) || isRedundant(from, other))
    )
  })
}

/** Returns true if a column holds who did something: `crt_usr`, but not the time of `user_created`. */
function namesActor({ family, rawWords }: Renaming): boolean {
  const mayIdentify = ['integer', 'decimal', 'string', 'uuid', 'binary'].includes(family)
  return mayIdentify && rawWords.some((from) => known.PERSONS.has(from))
}

const ADDRESSES: ReadonlySet<string> = new Set(['url', 'uri', 'link', 'href'])

/** Returns true if a word, written out or short, adds nothing to another: `created_by_usr`. */
function isRedundant(word: string, other: string): boolean {
  const meanings = [word, ...(ABBREVIATIONS.get(word) ?? [])]
  return meanings.some((meaning) => known.REDUNDANT.get(meaning)?.has(other))
}

/** Returns true for a unit, or another word that is no longer true of a converted number. */
function saysUnit(word: string): boolean {
  return isUnitWord(word) || EPOCH_WORDS.has(word)
}

function isDropped(word: string, words: readonly string[]): boolean {
  return EPOCH_WORDS.has(word) || (isUnitWord(word) && mayBeDropped(word, words))
}

/**
 * Returns true for a word that a new name must keep: any known word, full or abbreviated. A single letter is
 * a prefix.
 */
function mustStay(word: string, subject: EditSubject): boolean {
  if (known.MODIFIERS.has(word)) return true
  if (!isContent(word) || known.FILLERS.has(word)) return false
  const meanings = ABBREVIATIONS.get(word)
  if (meanings !== undefined) return word.length > 1 && meanings.some(isContent)
  return isWritten(word, subject)
}

/** `timezone` says `zone`. */
function holds(word: string, part: string): boolean {
  return part.length >= 3 && (word.startsWith(part) || word.endsWith(part))
}

/** Returns true if a word belongs to a prefix that most columns share. */
function isShared(word: string, raw: string, { subject }: EditSubject): boolean {
  const { columns } = subject
  const [prefix = ''] = raw.split('_')
  const bearers = columns.filter(({ name }) => toSnakeCase(name).startsWith(`${prefix}_`))
  return partsOfName(prefix).includes(word) && columns.length > 3 && bearers.length * 2 > columns.length
}

/** Returns true if `from`, `to` and `by` keep their meaning. */
function keepsDirection({ evidence, rawWords, subject, words }: Renaming): boolean {
  const isTo = (word: string): boolean => known.KEPT_DIRECTIONS.has(word)
  const isSame = (word: string, from: string): boolean => saysPart(word, from, words, subject)
  const isLost = rawWords.some(
    (from) =>
      isTo(from) &&
      !words.some((word) => isSame(word, from)) &&
      !rawWords.some((other) => known.REDUNDANT.get(from)?.has(other)),
  )
  const isNew = words.some(
    (word) =>
      known.DIRECTIONS.has(word) &&
      rawWords.some(isTo) &&
      !rawWords.some((from) => isSame(word, from)) &&
      !evidence.table.has(word),
  )
  return !isLost && !isNew
}

/** Returns true if numbers are kept: the second address stays the second. */
function keepsNumbers({ evidence, raw, rawWords, subject, words }: Renaming): boolean {
  if (!rawWords.some((word) => isWritten(word, subject) || ABBREVIATIONS.has(word))) return true
  const numbers = new Set(words.flatMap((word) => word.match(/\d+/g) ?? []).map(Number))
  return rawWords
    .filter((word) => /^\d+$/.test(word) && !evidence.table.has(word) && !isShared(word, raw, subject))
    .every((word) => Number(word) === 1 || numbers.has(Number(word)))
}

/** Refuses `status` for the state of an address. */
function keepsPlace({ rawWords, subject: { subject }, words }: Renaming): boolean {
  if (!rawWords.includes('state') || !words.includes('status')) return true
  const around = subject.columns.flatMap(({ name }) => partsOfName(toSnakeCase(name)))
  return !around.some((word) => known.PLACES.has(word))
}

interface Evidence {
  /** Words of the table and of the comment, in the singular. */
  readonly words: ReadonlySet<string>
  readonly comment: ReadonlySet<string>
  /** Words of the table and its schema, which add nothing to the name of a column. */
  readonly table: ReadonlySet<string>
}

function evidenceFor(stored: string, { subject }: EditSubject, { column }: StagedColumn): Evidence {
  const comment = partsOfName(toSnakeCase(column?.comment ?? '')).map(singular)
  const { name } = subject
  const table = [name.table, subject.entity.singular].flatMap((text) =>
    partsOfName(toSnakeCase(text)).map(singular),
  )
  const own = new Set(partsOfName(toSnakeCase(stored)))
  const siblings = new Set(
    subject.columns
      .filter(({ name: other }) => other !== stored)
      .map(({ name: other }) => toSnakeCase(other)),
  )
  // A word of the table that names another column would displace that column.
  const entity = table.filter((word) => own.has(word) || !siblings.has(word))
  return {
    words: new Set([...entity, ...comment]),
    comment: new Set(comment),
    table: new Set([...table, ...partsOfName(toSnakeCase(name.schema ?? '')).map(singular)]),
  }
}

function isOfHouse(name: string, stored: string, { subject }: EditSubject): boolean {
  const { renames = [] } = subject.settings.project?.style ?? {}
  return renames.some(([column, given]) => given === name && column.toLowerCase() === stored.toLowerCase())
}

/** Returns the role words that a name may add for the kind of its column. */
function rolesOf({ family, raw, staged, subject }: Renaming): ReadonlySet<string> {
  const { column, name } = staged
  const kinds = KINDS.filter(([, families]) => families.includes(family)).map(([kind]) => kind)
  const identifies = IDENTIFIER.test(raw)
  const truth = isFlag(raw) || isFlag(name)
  const moment = /(?:^|_)(?:dt|date|ts|time|timestamp|at|on|tm|day|dtm|datetime)(?:_|$)/.test(raw)
  const all = [
    // an identifier is not an amount
    ...kinds.filter((kind) => kind !== 'number' || !identifies),
    ...(isOfKey(staged, subject) || column?.type.toLowerCase() === 'uuid' ? (['identifier'] as const) : []),
    ...(truth ? (['truth'] as const) : []),
    ...(moment ? (['moment'] as const) : []),
  ]
  // a count is a whole number, and only a short text is sure to be a code
  const isCode = /char\w*\s*\(\s*[1-3]\s*\)/i.test(column?.type ?? '')
  return new Set(
    all.flatMap((kind) =>
      [...ROLES[kind]].filter((role) => {
        if (kind === 'text' && known.QUALITIES.has(role)) return role === 'code' && isCode
        return family === 'integer' || !known.COUNTS.has(role)
      }),
    ),
  )
}

const IDENTIFIER = /(?:^|_)(?:id|key|no|num|nbr|nr|number|code|cd|sk|pk|fk|ref|uuid|guid)$/

const KINDS: readonly (readonly [keyof typeof ROLES, readonly Family[]])[] = [
  ['moment', ['date', 'time', 'timestamp_ntz', 'timestamp_tz']],
  ['truth', ['boolean']],
  ['number', ['integer', 'decimal', 'float']],
  ['text', ['string']],
]
