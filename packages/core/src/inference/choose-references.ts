import { isOutOfReach, surpriseBits } from './chance.ts'
import type { TableKey } from './choose-keys.ts'
import { compositeCheck, compositeReferences, judgeComposite } from './composite-references.ts'
import { declaredReferences, isDeclared } from './declared-references.ts'
import { AMOUNT_WORDS, MEASURE_WORDS } from './fact-words.ts'
import type { Check, CheckResult, ProposedReference, Verify, WrittenJoin } from './inference.ts'
import { type Joined, readJoined, withJoins } from './joined-references.ts'
import { indexParents, namedReferences, type Parent } from './propose-references.ts'
import { isComparable, type ReferenceCandidate, type Subject, type SubjectColumn } from './read-subjects.ts'

/** The confidence required from names alone. */
const NAME_THRESHOLD = 0.8
/** Names with less confidence are not checked in the data. */
const WORTH_A_LOOK = 0.45
/** The score required with data: name, surprise and coverage together. */
const DATA_THRESHOLD = 0.72
/** The surprise, in bits, that is worth as much as a name. */
const BITS_FOR_NO_NAME = 60
/** Above this confidence, matching values alone change nothing: they reach 0.75 at most. */
const SETTLED = 0.76

/** With fewer bits, numbers that cover a smaller share of the keys may be a coincidence. */
const FEW_BITS = 5
const FEW_KEYS = 0.1
const DOUBT_OF_CHANCE = 0.2

/**
 * Decides which columns refer to which tables: one table per column, and per set of columns. Declared references are
 * final: nothing else is proposed for their columns.
 */
export async function chooseReferences(
  subjects: readonly Subject[],
  keys: readonly TableKey[],
  { joins, verify }: { readonly joins: readonly WrittenJoin[]; readonly verify: Verify },
): Promise<readonly ProposedReference[]> {
  const parents = keys.flatMap(({ columns, subject }): readonly Parent[] => {
    const [key] = columns
    return key && columns.length === 1 ? [{ subject, key }] : []
  })
  const columns = columnsToJudge(subjects, parents)
  const named = namedCandidates(columns, parents, readJoined(subjects, joins))
  const open = named.filter((candidate) => !isRefutedByProfile(candidate))
  const composite = compositeReferences(subjects, keys).filter(
    ({ children, subject }) =>
      !isDeclared(
        subject,
        children.map(({ name }) => name),
      ),
  )
  const answers = await verify([...open.map(containedCheck), ...composite.map(compositeCheck)])
  const judged = open.flatMap((candidate, at) => judge(candidate, answers[at]) ?? [])
  const byValues = await judgeValues(columns, { named, judged, parents, verify })
  return [
    ...declaredReferences(subjects),
    ...onePerColumn([...judged, ...byValues]).map(({ proposal }) => proposal),
    ...composite.flatMap((candidate, at) => judgeComposite(candidate, answers[open.length + at]) ?? []),
  ]
}

interface ColumnToJudge extends Pick<ReferenceCandidate, 'child' | 'subject'> {
  /** True for the key of its own table. */
  readonly isKey: boolean
}

function columnsToJudge(subjects: readonly Subject[], parents: readonly Parent[]): readonly ColumnToJudge[] {
  const ownKeys = new Set(parents.map(({ key }) => key))
  return subjects.flatMap((subject) =>
    subject.columns
      .filter((child) => !isDeclared(subject, [child.name]))
      .map((child) => ({ subject, child, isKey: ownKeys.has(child) })),
  )
}

function namedCandidates(
  columns: readonly ColumnToJudge[],
  parents: readonly Parent[],
  joined: Joined,
): readonly ReferenceCandidate[] {
  const index = indexParents(parents)
  return columns.flatMap(({ child, isKey, subject }) => {
    const all = namedReferences(subject, child, index)
    // the key of a table is a reference only if it is named after the other table
    const fit = isKey ? all.filter(({ rule }) => rule === 'table_name') : all
    return withJoins(fit, { subject, child, parents, joined, isKey }).filter(
      ({ confidence }) => confidence >= WORTH_A_LOOK,
    )
  })
}

interface JudgeValuesOptions {
  /** The references that names suggest, with the outcome of their checks. */
  readonly named: readonly ReferenceCandidate[]
  readonly judged: readonly Judged[]
  readonly parents: readonly Parent[]
  readonly verify: Verify
}

/**
 * Finds references by values, for columns that names do not settle. Only surprising matches count, because the values
 * of many columns occur in some key.
 */
async function judgeValues(
  columns: readonly ColumnToJudge[],
  { judged, named, parents, verify }: JudgeValuesOptions,
): Promise<readonly Judged[]> {
  const settled = new Set(judged.flatMap(({ candidate, score }) => (score >= SETTLED ? candidate.child : [])))
  const open = columns
    .filter(({ child, isKey }) => !isKey && !settled.has(child))
    .flatMap(({ child, subject }) => surprisingReferences(subject, child, parents))
    .filter((candidate) => !isRefutedByProfile(candidate) && !isNamed(candidate, named))
  const answers = await verify(open.map(containedCheck))
  return open.flatMap((candidate, at) => judge(candidate, answers[at]) ?? [])
}

/** Returns true if the reference was checked already, because a name suggests it too. */
function isNamed({ child, key }: ReferenceCandidate, named: readonly ReferenceCandidate[]): boolean {
  return named.some((one) => one.child === child && one.key === key)
}

/**
 * Returns the keys of other tables that the values of a column match too well for a coincidence, whatever its name.
 */
function surprisingReferences(
  subject: Subject,
  child: SubjectColumn,
  parents: readonly Parent[],
): readonly ReferenceCandidate[] {
  const { profile } = child
  if (!profile || (profile.distinct ?? 0) < 5 || child.kind === undefined || isAmount(child)) return []
  return parents.flatMap(({ key, subject: parent }) => {
    const isOther =
      parent !== subject &&
      parent.table.schema === subject.table.schema &&
      key.profile &&
      isComparable(child, key)
    if (!isOther || !key.profile || surpriseBits(profile, key.profile) < BITS_FOR_NO_NAME) return []
    return [{ subject, child, parent, key, rule: 'values', confidence: WORTH_A_LOOK }]
  })
}

/** Returns true for numbers that are measured: they fall into the range of some key by chance. */
function isAmount({ kind, words: { ending, words } }: SubjectColumn): boolean {
  const last = words.at(-1) ?? ''
  return kind === 'number' && ending === '' && (AMOUNT_WORDS.has(last) || MEASURE_WORDS.has(last))
}

function isRefutedByProfile({ child, key, parent }: ReferenceCandidate): boolean {
  if (!child.profile || !key.profile || parent.profile?.rows === 0 || child.profile.distinct === 0)
    return false
  return isOutOfReach(child.profile, key.profile)
}

function containedCheck({ child, confidence, key, parent, subject }: ReferenceCandidate): Check {
  return {
    kind: 'contained',
    child: { table: subject.table, columns: [child.name] },
    parent: { table: parent.table, columns: [key.name] },
    ...(leastContained(confidence) === 1 && { isStrict: true }),
  }
}

/** A good name allows for a few values without a parent: rows arrive late, parents are deleted. */
function leastContained(confidence: number): number {
  return confidence >= 0.9 ? 0.9 : 1
}

interface Judged {
  readonly candidate: ReferenceCandidate
  readonly score: number
  readonly proposal: ProposedReference
}

function judge(candidate: ReferenceCandidate, answer: CheckResult): Judged | undefined {
  if (!answer || answer.checked === 0) {
    const isSure = candidate.confidence >= NAME_THRESHOLD
    const origin = candidate.joins ? 'join' : 'name'
    return isSure ? judged(candidate, candidate.confidence, origin, undefined) : undefined
  }
  const contained = 1 - answer.violations / answer.checked
  if (contained < leastContained(candidate.confidence)) return undefined
  const { child, key } = candidate
  const bits = child.profile && key.profile ? surpriseBits(child.profile, key.profile) : 0
  const coverage = key.profile ? Math.min(1, answer.checked / Math.max(1, key.profile.distinct ?? 0)) : 0
  const orphans = answer.violations > 0 ? 0.1 : 0
  const isChance =
    !candidate.joins &&
    child.kind === 'number' &&
    child.words.ending === '' &&
    bits < FEW_BITS &&
    coverage < FEW_KEYS
  const doubt = orphans + (isChance ? DOUBT_OF_CHANCE : 0)
  const score = candidate.confidence + 0.22 * Math.min(1, bits / 40) + 0.08 * coverage - doubt
  return score >= DATA_THRESHOLD ? judged(candidate, score, 'data', answer) : undefined
}

function judged(
  candidate: ReferenceCandidate,
  score: number,
  origin: ProposedReference['origin'],
  answer: CheckResult,
): Judged {
  const { child, joins, key, parent, rule, subject } = candidate
  return {
    candidate,
    score,
    proposal: {
      child: { table: subject.table, columns: [child.name] },
      parent: { table: parent.table, columns: [key.name] },
      rule,
      origin,
      confidence: Math.min(0.99, score),
      ...(answer && { values: { checked: answer.checked, orphans: answer.violations } }),
      ...(answer && subject.profile?.sampled && { sampled: true }),
      ...(joins && { joins }),
    },
  }
}

/**
 * Returns the best parent of each column. If two are equally good and only names support them, neither is taken. A
 * table with one row per row of the named table, such as its totals, is not the parent.
 */
function onePerColumn(all: readonly Judged[]): readonly Judged[] {
  const byChild = Map.groupBy(all, ({ candidate }) => candidate.child)
  const refers = (from: SubjectColumn, to: Subject): boolean =>
    byChild.get(from)?.some(({ candidate }) => candidate.parent === to) === true
  return [...byChild.values()].flatMap((group) => {
    const direct = group.filter(
      ({ candidate: { confidence, key } }) =>
        !group.some(({ candidate: named }) => named.confidence > confidence && refers(key, named.parent)),
    )
    const [best, second] = direct.toSorted((a, b) => b.score - a.score)
    if (!best) return []
    const isTied = second !== undefined && second.score >= best.score - 0.005
    return isTied ? [] : [best]
  })
}
