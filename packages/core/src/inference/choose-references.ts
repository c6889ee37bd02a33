import { chanceBits, isOutOfReach } from './chance.ts'
import type { TableKey } from './choose-keys.ts'
import { compositeCheck, compositeReferences, judgeComposite } from './composite-references.ts'
import { declaredReferences, isDeclared } from './declared-references.ts'
import type { Check, CheckResult, ProposedReference, Verify, WrittenJoin } from './inference.ts'
import { readJoined, withJoins } from './joined-references.ts'
import { indexParents, namedReferences, type Parent } from './propose-references.ts'
import { isComparable, type ReferenceCandidate, type Subject, type SubjectColumn } from './read-subjects.ts'

/** Names alone have to be this sure. */
const NAME_THRESHOLD = 0.8
/** Names so weak are not looked up in the data. */
const WORTH_A_LOOK = 0.45
/** With data: name, surprise and coverage together. */
const DATA_THRESHOLD = 0.72
/** So much surprise stands for a name. */
const BITS_FOR_NO_NAME = 60

/** With fewer bits, numbers that reach less of the keys than this share are there by chance as likely as not. */
const FEW_BITS = 5
const FEW_KEYS = 0.1
const DOUBT_OF_CHANCE = 0.2

/**
 * Decides which columns lead to which tables; one table per column, and per set of several. What the warehouse declares
 * is taken as it stands: nothing else is proposed for those columns.
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
  const index = indexParents(parents)
  const ownKeys = new Set(parents.map(({ key }) => key))
  const joined = readJoined(subjects, joins)
  const candidates = subjects.flatMap((subject) =>
    subject.columns.flatMap((child) => {
      if (isDeclared(subject, [child.name])) return []
      const all = namedReferences(subject, child, index)
      // A table's own key leads elsewhere only where it is called after the other table.
      const named = ownKeys.has(child) ? all.filter(({ rule }) => rule === 'table_name') : all
      return [
        ...withJoins(named, { subject, child, parents, joined, isKey: ownKeys.has(child) }).filter(
          ({ confidence }) => confidence >= WORTH_A_LOOK,
        ),
        ...(ownKeys.has(child) ? [] : surprisingReferences(subject, child, parents)),
      ]
    }),
  )
  const open = candidates.filter((candidate) => !isRefutedByProfile(candidate))
  const composite = compositeReferences(subjects, keys).filter(
    ({ children, subject }) =>
      !isDeclared(
        subject,
        children.map(({ name }) => name),
      ),
  )
  const answers = await verify([...open.map(containedCheck), ...composite.map(compositeCheck)])
  const judged = open.flatMap((candidate, at) => judge(candidate, answers[at]) ?? [])
  return [
    ...declaredReferences(subjects),
    ...onePerColumn(judged).map(({ proposal }) => proposal),
    ...composite.flatMap((candidate, at) => judgeComposite(candidate, answers[open.length + at]) ?? []),
  ]
}

/** Columns whose values are keys of another table by no chance, whatever they are called. */
function surprisingReferences(
  subject: Subject,
  child: SubjectColumn,
  parents: readonly Parent[],
): readonly ReferenceCandidate[] {
  const { profile } = child
  if (!profile || (profile.distinct ?? 0) < 5 || child.kind === undefined) return []
  return parents.flatMap(({ key, subject: parent }) => {
    const isOther =
      parent !== subject &&
      parent.table.schema === subject.table.schema &&
      key.profile &&
      isComparable(child, key)
    if (!isOther || !key.profile || chanceBits(profile, key.profile) < BITS_FOR_NO_NAME) return []
    return [{ subject, child, parent, key, rule: 'values', confidence: WORTH_A_LOOK }]
  })
}

function isRefutedByProfile({ child, key, parent }: ReferenceCandidate): boolean {
  if (!child.profile || !key.profile || parent.profile?.rows === 0 || child.profile.distinct === 0)
    return false
  return isOutOfReach(child.profile, key.profile)
}

function containedCheck({ child, key, parent, subject }: ReferenceCandidate): Check {
  return {
    kind: 'contained',
    child: { table: subject.table, columns: [child.name] },
    parent: { table: parent.table, columns: [key.name] },
  }
}

interface Judged {
  readonly candidate: ReferenceCandidate
  readonly score: number
  readonly proposal: ProposedReference
}

/** A few values without a parent are forgiven to good names: rows come late, parents are deleted. */
function judge(candidate: ReferenceCandidate, answer: CheckResult): Judged | undefined {
  if (!answer || answer.checked === 0) {
    const isSure = candidate.confidence >= NAME_THRESHOLD
    const origin = candidate.joins ? 'join' : 'name'
    return isSure ? judged(candidate, candidate.confidence, origin, undefined) : undefined
  }
  const contained = 1 - answer.violations / answer.checked
  if (contained < (candidate.confidence >= 0.9 ? 0.9 : 1)) return undefined
  const { child, key } = candidate
  const bits = child.profile && key.profile ? chanceBits(child.profile, key.profile) : 0
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

/** The best parent of each column. Where two are equally good, names alone do not decide, so that none is taken. */
function onePerColumn(all: readonly Judged[]): readonly Judged[] {
  return [...Map.groupBy(all, ({ candidate }) => candidate.child).values()].flatMap((group) => {
    const [best, second] = group.toSorted((a, b) => b.score - a.score)
    if (!best) return []
    const isTied = second !== undefined && second.score >= best.score - 0.005
    return isTied ? [] : [best]
  })
}
