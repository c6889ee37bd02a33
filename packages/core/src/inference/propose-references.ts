import { endsWith, isCode, isShortFor } from './propose-keys.ts'
import { isComparable, type Subject, type SubjectColumn } from './read-subjects.ts'

/** A column that may hold the key of another table, and how much the names say so. */
export interface ReferenceCandidate {
  readonly subject: Subject
  readonly child: SubjectColumn
  readonly parent: Subject
  readonly key: SubjectColumn
  readonly rule: string
  /** Share of references found by the rule that were true ones, on databases with known keys. */
  readonly confidence: number
}

/** A table with the column that identifies its rows. */
export interface Parent {
  readonly subject: Subject
  readonly key: SubjectColumn
}

/** Finds tables by the words of their names, so that a column is not compared with every table. */
export interface ParentIndex {
  /** All with that name, layers and number apart. */
  called(whole: string): readonly Parent[]
  /** All whose names end with the words. */
  endingWith(whole: string): readonly Parent[]
  /** All whose key has that name, spelled alike. */
  keyed(name: string): readonly Parent[]
  readonly all: readonly Parent[]
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
  return {
    all: parents,
    called: (whole) => called.get(whole) ?? [],
    endingWith: (whole) => tails.get(whole) ?? [],
    keyed: (whole) => keyed.get(whole) ?? [],
  }
}

/** Words before the name of a table that say which one of its rows, and how rows of one table are linked. */
const SELF_WORDS: ReadonlySet<string> = new Set(
  'parent ancestor root previous prev next original superior reply replyto predecessor successor replaced duplicate'.split(
    ' ',
  ),
)
const BOSS_WORDS: ReadonlySet<string> = new Set('reportsto reportto manager mgr supervisor boss'.split(' '))
const PERSON_ROLES: ReadonlySet<string> = new Set(
  'manager supervisor rep supportrep salesrep accountmanager owner assignee author creator approver reviewer editor agent'.split(
    ' ',
  ),
)
const STAFF_TABLES: readonly string[] = ['employee', 'staff', 'user', 'person', 'member']
const MEASURES: ReadonlySet<string> = new Set('num number count total sum nr of avg max min'.split(' '))

type Named = Pick<ReferenceCandidate, 'confidence' | 'parent' | 'key' | 'rule'>

/** Where the name of a column leads, the surest first; at most one rule per parent. */
export function namedReferences(
  subject: Subject,
  child: SubjectColumn,
  index: ParentIndex,
): readonly ReferenceCandidate[] {
  if (child.kind === undefined || isMeasure(child)) return []
  const own = index.all.find((parent) => parent.subject === subject)
  const found = [
    ...byTable(subject, child, index),
    ...bySelf(child, own),
    ...byKeyName(child, subject, index),
    ...byRole(child, index),
    ...byShortName(child, index),
  ]
  const best = new Map<Subject, Named>()
  for (const named of found) {
    const isFit = isComparable(child, named.key) && !(named.parent === subject && named.key === child)
    const known = best.get(named.parent)
    if (isFit && (!known || known.confidence < named.confidence)) best.set(named.parent, named)
  }
  return [...best.values()]
    .map((named) => ({ subject, child, ...named }))
    .toSorted((a, b) => b.confidence - a.confidence)
}

/** `num_created_nodes` counts; `number_of_users` as well. */
function isMeasure({ words }: SubjectColumn): boolean {
  return words.words.length > 1 && words.ending === '' && MEASURES.has(words.words[0] ?? '')
}

function named(parents: readonly Parent[], rule: string, confidence: number): readonly Named[] {
  return parents.map(({ key, subject }) => ({ parent: subject, key, rule, confidence }))
}

/** The column is called after a table: as a whole, with a role before it, or by the table's last words. */
function byTable(subject: Subject, child: SubjectColumn, index: ParentIndex): readonly Named[] {
  const { ending, stem } = child.words
  if (stem.whole === '') return []
  const fits = ({ key, subject: parent }: Parent): boolean => parent !== subject && fitsEnding(child, key)
  const lookup = index.called(subject.words.whole + stem.whole).filter(fits)
  if (lookup.length > 0) return named(lookup, 'own_lookup', 0.96)
  const exact = index.called(stem.whole).filter(fits)
  if (exact.length > 0) return named(exact, 'table_name', ending === '' ? 0.82 : 0.96)
  if (ending === '' && child.kind !== 'uuid') return []
  const role = byLongestTail(stem.words, index).filter(fits)
  if (role.length > 0) return named(role, 'role_and_table', ending === '' ? 0.6 : 0.92)
  const tails = index.endingWith(stem.whole).filter(fits)
  const near = tails.filter((parent) => sharesHead(subject, parent.subject))
  if (near.length === 1) return named(near, 'end_of_near_table', 0.86)
  return tails.length === 1 ? named(tails, 'end_of_table', 0.8) : named(tails, 'end_of_tables', 0.5)
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

/** Codes lead to codes and ids to ids; `phone_number` leads to no `phone.id`. */
function fitsEnding(child: SubjectColumn, key: SubjectColumn): boolean {
  const isCodeOfChild = isCode(child)
  return isCodeOfChild === isCode(key) || (isCodeOfChild && child.words.ending === key.words.ending)
}

function bySelf(child: SubjectColumn, own: Parent | undefined): readonly Named[] {
  if (!own) return []
  const { ending, stem, words } = child.words
  const entity = own.subject.words.whole
  const without = stem.whole === entity ? '' : stem.whole.replace(entity, '')
  if (ending !== '' && SELF_WORDS.has(without)) return named([own], 'self', 0.9)
  const isPerson = STAFF_TABLES.includes(entity)
  if (isPerson && (BOSS_WORDS.has(words.join('')) || (ending !== '' && BOSS_WORDS.has(stem.whole)))) {
    return named([own], 'superior', 0.9)
  }
  const isRole = ending !== '' && stem.words.length > 1 && endsWith(stem.words, own.subject.words.words)
  return isRole ? named([own], 'self_role', 0.85) : []
}

/** The column is spelled as the key of another table, which is called by more than `id`. */
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

/** Keys by these names are keys of anything. */
const GENERAL_NAMES: ReadonlySet<string> = new Set('name code type key number title value label email'.split(' '))

/** `manager_id` and `support_rep_id` where there is one table of people who work here. */
function byRole(child: SubjectColumn, index: ParentIndex): readonly Named[] {
  const { ending, stem } = child.words
  if (ending === '' || !PERSON_ROLES.has(stem.whole)) return []
  for (const table of STAFF_TABLES) {
    const found = index.called(table)
    if (found.length === 1) return named(found, 'role_of_person', stem.whole === 'owner' ? 0.7 : 0.84)
  }
  return []
}

/** `emp_no` of `employees`, `cdemo_sk` of `customer_demographics`. */
function byShortName(child: SubjectColumn, index: ParentIndex): readonly Named[] {
  const { ending, stem } = child.words
  if (ending === '' || stem.words.length !== 1 || index.called(stem.whole).length > 0) return []
  const found = index.all.filter(({ key, subject }) => {
    const isKeyAlike = key.words.ending === ending
    return isKeyAlike && (isShortFor(stem.whole, subject.words.whole) || isMadeOfStarts(stem.whole, subject))
  })
  return found.length === 1 ? named(found, 'short_for_table', 0.8) : named(found, 'short_for_tables', 0.4)
}

/** `cdemo` is `c` of customer and `demo` of demographics. */
function isMadeOfStarts(short: string, { words: { words } }: Subject): boolean {
  if (words.length < 2 || short.length < words.length + 1) return false
  const pattern = words.map((word) => `(?:${starts(word)})`).join('')
  return new RegExp(`^${pattern}$`).test(short)
}

/** `d(?:e(?:m)?)?` of `dem`. */
function starts(word: string): string {
  return word.split('').reduceRight((rest, letter) => `${letter}(?:${rest})?`, '').replaceAll('(?:)?', '')
}
