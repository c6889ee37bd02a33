import { endsWith, isShortFor, standsFor } from './compare-words.ts'
import { isComparable, type ReferenceCandidate, type Subject, type SubjectColumn } from './read-subjects.ts'

/** A table with the column that identifies its rows. */
export interface Parent {
  readonly subject: Subject
  readonly key: SubjectColumn
}

/** Finds tables by the words of their names, so that a column is not compared with every table. */
export interface ParentIndex {
  /** Returns the tables with that name, ignoring layers and plurals. */
  called(whole: string): readonly Parent[]
  /** Returns the tables whose names end with the words. */
  endingWith(whole: string): readonly Parent[]
  /** Returns the tables whose key has that name. */
  keyed(name: string): readonly Parent[]
  /** Returns the tables whose names start with the letter. */
  startingWith(letter: string): readonly Parent[]
  /** Returns the tables with several words, the last of which it abbreviates. */
  endingShort(short: string): readonly Parent[]
  /** Returns the table itself, if one column identifies its rows. */
  of(subject: Subject): Parent | undefined
}

export function indexParents(parents: readonly Parent[]): ParentIndex {
  const called = Map.groupBy(parents, ({ subject }) => subject.words.whole)
  const keyed = Map.groupBy(parents, ({ key }) => key.words.whole)
  const tails = new Map<string, Parent[]>()
  for (const parent of parents) {
    const { words } = parent.subject.words
    for (let start = 1; start < words.length; start++) {
      const tail = words.slice(start).join('')
      tails.set(tail, [...(tails.get(tail) ?? []), parent])
    }
  }
  const letters = Map.groupBy(parents, ({ subject }) => subject.words.whole.charAt(0))
  const lastLetters = Map.groupBy(
    parents.filter(({ subject }) => subject.words.words.length > 1),
    ({ subject }) => (subject.words.words.at(-1) ?? '').charAt(0),
  )
  const own = new Map(parents.map((parent) => [parent.subject, parent] as const))
  return {
    endingShort: (short) =>
      (lastLetters.get(short.charAt(0)) ?? []).filter(({ subject }) =>
        isShortFor(short, subject.words.words.at(-1) ?? ''),
      ),
    startingWith: (letter) => letters.get(letter) ?? [],
    of: (subject) => own.get(subject),
    called: (whole) => called.get(whole) ?? [],
    endingWith: (whole) => tails.get(whole) ?? [],
    keyed: (whole) => keyed.get(whole) ?? [],
  }
}

/** Words before the name of a table that state the role of the row, and words for links between rows of one table. */
const SELF_WORDS: ReadonlySet<string> = new Set(
  'parent ancestor root previous prev next original superior reply replyto predecessor successor replaced duplicate'.split(
    ' ',
  ),
)
const BOSS_WORDS: ReadonlySet<string> = new Set('reportsto reportto manager mgr supervisor boss'.split(' '))
const PERSON_ROLES: ReadonlySet<string> = new Set(
  'manager supervisor rep supportrep salesrep accountmanager owner assignee author creator approver reviewer editor agent canceler canceller requester requestor submitter uploader publisher moderator voter follower inviter orderer'.split(
    ' ',
  ),
)
/** Roles of employees; for these, tables of staff come before tables of users. */
const WORKING: ReadonlySet<string> = new Set(
  'manager supervisor rep supportrep salesrep accountmanager'.split(' '),
)
const STAFF_TABLES: readonly string[] = ['employee', 'staff', 'user', 'person', 'member']
const USER_TABLES: readonly string[] = ['user', 'person', 'employee', 'staff', 'member', 'account']
const MEASURES: ReadonlySet<string> = new Set('num number count total sum nr of avg max min'.split(' '))

const AMOUNTS: ReadonlySet<string> = new Set(
  'amount balance cost count day discount hour length level minute month order page position price quantity qty rank rate score size sum tax total value version week weight year'.split(
    ' ',
  ),
)

/** Words that number rows more often than they name a table: `order` next to `orders`, `page` next to `pages`. */
const ORDINALS: ReadonlySet<string> = new Set(
  'day hour line month order page position rank row sequence seq size version week year'.split(' '),
)

type Named = Pick<ReferenceCandidate, 'confidence' | 'parent' | 'key' | 'rule'>

/** Returns the references that a column's name proposes, surest first; at most one rule per parent. */
export function namedReferences(
  subject: Subject,
  child: SubjectColumn,
  index: ParentIndex,
): readonly ReferenceCandidate[] {
  if (child.kind === undefined || isMeasure(child)) return []
  if (child.words.stem.whole === subject.words.whole && child.words.ending !== '') return []
  const found = [
    ...byTable(subject, child, index),
    ...bySelf(child, index.of(subject)),
    ...byKeyName(child, subject, index),
    ...byRole(child, index),
    ...byShortName(child, index),
    ...byEndOfLink(subject, child, index),
  ]
  const best = new Map<Subject, Named>()
  for (const named of found) {
    const isFit = isComparable(child, named.key) && !(named.parent === subject && named.key === child)
    const known = best.get(named.parent)
    if (isFit && (!known || known.confidence < named.confidence)) best.set(named.parent, named)
  }
  const doubt = isOfManyTables(child, subject) ? 0.4 : 0
  return [...best.values()]
    .map((named) => ({
      subject,
      child,
      ...named,
      confidence: named.confidence - doubt - distance(subject, child, named.parent),
    }))
    .toSorted((a, b) => b.confidence - a.confidence)
}

/**
 * Another schema is usually another system: only columns with the ending of a key refer there, with less confidence.
 */
function distance({ table }: Subject, { words }: SubjectColumn, { table: parent }: Subject): number {
  if (table.schema === parent.schema && table.database === parent.database) return 0
  return words.ending === '' ? 0.5 : 0.14
}

/** Returns true for `source_id` next to `source_type`: each row names the table that it refers to. */
export function isOfManyTables({ words }: SubjectColumn, { columns }: Subject): boolean {
  const { ending, stem } = words
  return ending !== '' && columns.some((other) => other.words.whole === `${stem.whole}type`)
}

/** Returns true for counts and amounts: `num_created_nodes`, `number_of_users`, `stock_quantity`, `up_votes`. */
function isMeasure({ words }: SubjectColumn): boolean {
  if (words.ending !== '') return false
  if (words.isPlural) return true
  if (words.words.length < 2) return false
  return MEASURES.has(words.words[0] ?? '') || AMOUNTS.has(words.words.at(-1) ?? '')
}

function named(parents: readonly Parent[], rule: string, confidence: number): readonly Named[] {
  return parents.map(({ key, subject }) => ({ parent: subject, key, rule, confidence }))
}

/**
 * Finds the tables that a column is named after: as a whole, with a role before it, or with the table's last words.
 */
function byTable(subject: Subject, child: SubjectColumn, index: ParentIndex): readonly Named[] {
  const { ending } = child.words
  const stem = withoutNumber(child.words.stem.words)
  const whole = stem.join('')
  if (whole === '' || (ending === '' && child.kind !== 'number' && child.kind !== 'uuid')) {
    return named(index.called(whole).filter(isOther), 'table_name', 0.82)
  }
  const fits = (parent: Parent): boolean => isOther(parent) && fitsEnding(child, parent.key)
  const isId = ending !== ''
  const lookup = index.called(subject.words.whole + whole).filter(fits)
  if (lookup.length > 0) return named(lookup, 'own_lookup', isId ? 0.96 : stem.length === 1 ? 0.93 : 0.7)
  const exact = index.called(whole).filter(fits)
  if (exact.length > 0) {
    const isOrdinal = child.kind === 'number' && ORDINALS.has(whole)
    return named(exact, 'table_name', isId ? 0.96 : isOrdinal ? 0.6 : 0.88)
  }
  const role = byLongestTail(stem, index).filter(fits)
  if (role.length > 0) return named(role, 'role_and_table', isId ? 0.92 : 0.82)
  const tails = index.endingWith(whole).filter(fits)
  const near = tails.filter((parent) => sharesHead(subject, parent.subject))
  if (near.length === 1 && (isId || stem.length > 1)) return named(near, 'end_of_near_table', 0.86)
  return tails.length === 1 && isId ? named(tails, 'end_of_table', 0.8) : named(tails, 'end_of_tables', 0.5)

  function isOther({ subject: parent }: Parent): boolean {
    return parent !== subject
  }
}

/** Removes a number: `user1` and `user2` are users. */
function withoutNumber(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? ''
  const plain = last.replace(/\d+$/, '')
  return plain === '' && last !== '' ? words.slice(0, -1) : [...words.slice(0, -1), plain].filter(Boolean)
}

function byLongestTail(words: readonly string[], index: ParentIndex): readonly Parent[] {
  for (let start = 1; start < words.length; start++) {
    const found = index.called(words.slice(start).join(''))
    if (found.length > 0) return found
  }
  return []
}

function sharesHead(a: Subject, b: Subject): boolean {
  return a.words.words[0] === b.words.words[0]
}

const NUMBER_ENDINGS: ReadonlySet<string> = new Set('nbr no nr num number'.split(' '))
const CODE_ENDINGS: ReadonlySet<string> = new Set(['code', ...NUMBER_ENDINGS])

/** Returns true if the name of the column ends in a word for a code or a number. */
function isCode({ words }: SubjectColumn): boolean {
  return CODE_ENDINGS.has(words.ending)
}

/** Codes refer to codes and ids to ids; `phone_number` does not refer to `phone.id`. */
function fitsEnding(child: SubjectColumn, key: SubjectColumn): boolean {
  const isCodeOfChild = isCode(child)
  return isCodeOfChild === isCode(key) || (isCodeOfChild && child.words.ending === key.words.ending)
}

function bySelf(child: SubjectColumn, own: Parent | undefined): readonly Named[] {
  if (!own) return []
  const { ending, stem, words } = child.words
  const entity = own.subject.words.whole
  const without = stem.whole === entity ? '' : stem.whole.replace(entity, '')
  if (SELF_WORDS.has(without)) return named([own], 'self', ending === '' ? 0.86 : 0.9)
  // `parent_segment_id` next to `segment_id` of `audience_segments`
  const key = own.key.words.stem.whole
  const isOtherKey = ending !== '' && key !== '' && SELF_WORDS.has(stem.whole.replace(key, ''))
  if (isOtherKey && stem.whole !== key) return named([own], 'self', 0.88)
  const last = stem.words.at(-1)
  if (ending !== '' && last === 'to' && stem.words.at(-2)?.endsWith('ed') === true)
    return named([own], 'self_moved', 0.82)
  const isPerson = STAFF_TABLES.includes(entity)
  if (isPerson && (BOSS_WORDS.has(words.join('')) || (ending !== '' && BOSS_WORDS.has(stem.whole)))) {
    return named([own], 'superior', 0.9)
  }
  const isRole = ending !== '' && stem.words.length > 1 && endsWith(stem.words, own.subject.words.words)
  return isRole ? named([own], 'self_role', 0.85) : []
}

/** Finds tables whose key has the name of the column, unless that is only `id`. */
function byKeyName(child: SubjectColumn, subject: Subject, index: ParentIndex): readonly Named[] {
  const { stem, whole } = child.words
  if (stem.whole === '' || GENERAL_NAMES.has(whole)) return []
  const others = index.keyed(whole).filter((parent) => parent.subject !== subject)
  return others.length === 1
    ? named(others, 'key_name', 0.91)
    : others.flatMap((parent) =>
        named([parent], 'key_name_of_many', parent.subject.words.whole === stem.whole ? 0.91 : 0.5),
      )
}

/** Keys with these names may belong to any table. */
const GENERAL_NAMES: ReadonlySet<string> = new Set(
  'name code type key number title value label email'.split(' '),
)

/**
 * Finds the person of `manager_id`, `creator` and `closed_by_id`, if a single table has the people for such roles.
 */
function byRole(child: SubjectColumn, index: ParentIndex): readonly Named[] {
  const { stem } = child.words
  const isDeed = stem.words.length > 1 && stem.words.at(-1) === 'by'
  if (!isDeed && !PERSON_ROLES.has(stem.whole)) return []
  for (const table of WORKING.has(stem.whole) ? STAFF_TABLES : USER_TABLES) {
    const found = index.called(table)
    if (found.length === 1) return named(found, isDeed ? 'done_by_person' : 'role_of_person', 0.84)
  }
  return []
}

const LINKS: ReadonlySet<string> = new Set(
  'link relation relationship dependency edge association connection'.split(' '),
)
const LINK_ENDS: ReadonlySet<string> = new Set(
  'source target from to first second left right related blocking blocked predecessor successor'.split(' '),
)

/**
 * Finds the ends of links: `source_id` and `target_id` of `issue_links`, `entity0` and `entity1` of a table that is
 * named after two others.
 */
function byEndOfLink(subject: Subject, child: SubjectColumn, index: ParentIndex): readonly Named[] {
  const { words } = subject.words
  const { stem, whole } = child.words
  if (LINKS.has(words.at(-1) ?? '') && LINK_ENDS.has(stem.whole)) {
    return named(index.called(words.slice(0, -1).join('')), 'end_of_link', 0.84)
  }
  const number = /^(?<name>[a-z]{3,})(?<at>[012])$/.exec(whole)?.groups
  const ends =
    number && subject.columns.filter((other) => other.words.whole.replace(/\d$/, '') === number['name'])
  if (!ends || ends.length !== 2) return []
  const tables = twoTables(words, index) ?? twoTables(words.slice(1), index)
  const parent = tables?.[ends.indexOf(child)]
  return parent ? named([parent], 'numbered_end', 0.84) : []
}

/** Returns the two tables that the words name. */
function twoTables(words: readonly string[], index: ParentIndex): readonly Parent[] | undefined {
  for (let cut = 1; cut < words.length; cut++) {
    const [a] = index.called(words.slice(0, cut).join(''))
    const [b] = index.called(words.slice(cut).join(''))
    if (a && b) return [a, b]
  }
  return undefined
}

/**
 * Finds tables that a column abbreviates or spells out: `emp_no` of `employees`, `account_id` of `acct`, `cdemo_sk` of
 * `customer_demographics`. A role may precede it.
 */
function byShortName(child: SubjectColumn, index: ParentIndex): readonly Named[] {
  const { ending, stem } = child.words
  const short = stem.words.at(-1) ?? ''
  if (ending === '' || byLongestTail(['', ...stem.words], index).length > 0) return []
  const fits = ({ key }: Parent): boolean => isSameEnding(key.words.ending, ending)
  const whole = index
    .startingWith(stem.whole.charAt(0))
    .filter((parent) => fits(parent) && areShortFor(stem.words, parent.subject.words.words))
  if (stem.words.length > 1 && whole.length === 1) return named(whole, 'short_for_table', 0.82)
  const near = index.startingWith(short.charAt(0)).filter(fits)
  const spelled = near.filter(({ subject: { words } }) => standsFor(short, words.whole))
  const made = near.filter(
    ({ subject: { words } }) =>
      words.words.length > 1 && short.length > words.words.length && isMadeOfStarts(short, words.words),
  )
  const found = spelled.length > 0 ? spelled : made
  const ends =
    found.length > 0
      ? []
      : index.endingShort(short).filter(({ key }) => isSameEnding(key.words.ending, ending))
  if (ends.length === 1) return named(ends, 'short_for_end_of_table', 0.8)
  const isOne = found.length === 1
  return named(found, 'short_for_table', isOne ? (stem.words.length === 1 ? 0.82 : 0.8) : 0.4)
}

/** Returns true if each word is one of the table's name, or short for it: `acct_type` of `account_types`. */
function areShortFor(short: readonly string[], words: readonly string[]): boolean {
  return (
    short.length === words.length &&
    short.every((word, at) => word === words[at] || standsFor(word, words[at] ?? ''))
  )
}

function isSameEnding(a: string, b: string): boolean {
  return a === b || (NUMBER_ENDINGS.has(a) && NUMBER_ENDINGS.has(b))
}

/** Returns true if a word joins the starts of several: `cdemo` is `c` of customer and `demo` of demographics. */
function isMadeOfStarts(short: string, words: readonly string[]): boolean {
  const [word, ...rest] = words
  if (word === undefined) return short === ''
  for (let length = 1; length <= word.length && short.startsWith(word.slice(0, length)); length++) {
    if (isMadeOfStarts(short.slice(length), rest)) return true
  }
  return false
}
