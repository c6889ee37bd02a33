import { fingerprintOf } from './fingerprint.ts'
import type { LintProject } from './project/lint-project.ts'
import { lineOf, positionOf } from './project/source-file.ts'
import type { Hit, Rule, RuleRun, Unchecked } from './rule.ts'
import { NEEDS, type Severity } from './vocabulary.ts'
import {
  compareFindings,
  type Finding,
  type Report,
  type SuppressedFinding,
  type UncheckedSubject,
} from './finding.ts'
import type { Suppression } from './suppress/suppression.ts'

/** A rule with the severity of its findings. */
export interface ChosenRule {
  readonly rule: Rule
  readonly severity: Severity
}

export interface LintOptions {
  /** The rules to run, with their severities and parameters; see `chooseRules`. */
  readonly rules: readonly ChosenRule[]
  /** Finds a rule by its id or name. @default among `rules`, by id */
  readonly findRule?: RuleRun['findRule']
}

/** Checks a project. Rules whose needs are not met, and parts that a rule cannot check, are reported as not checked. */
export function lint(project: LintProject, { findRule: find, rules }: LintOptions): Report {
  const findRule = find ?? ((id: string) => rules.find(({ rule }) => rule.id === id)?.rule)
  const isLast = ({ rule }: ChosenRule): boolean => rule.needs.includes('findings')
  const first = checkAll(
    project,
    rules.filter((one) => !isLast(one)),
    { unused: [], findRule },
  )
  const { findings, suppressed, used } = suppress(first.findings, project.suppressions)
  const checked = new Set(rules.map(({ rule }) => rule.id as string))
  const lasts = new Set(rules.filter(isLast).map(({ rule }) => rule.id as string))
  const unused = project.suppressions.filter(
    (one) =>
      !used.has(one) &&
      one.rules.every((id) => (checked.has(id) && !lasts.has(id)) || findRule(id)?.id !== id),
  )
  const last = checkAll(project, rules.filter(isLast), { unused, findRule })
  const ofLast = suppress(last.findings, project.suppressions)
  return {
    findings: [...findings, ...ofLast.findings].toSorted(compareFindings),
    suppressed: [...suppressed, ...ofLast.suppressed],
    unchecked: [...first.unchecked, ...last.unchecked],
    rules: rules.map(({ rule, severity }) => ({ ...rule, severity })),
    fileCount: project.files.size,
    modelCount: project.index.models.length,
  }
}

interface Checked {
  readonly findings: readonly Finding[]
  readonly unchecked: readonly UncheckedSubject[]
}

function checkAll(project: LintProject, rules: readonly ChosenRule[], run: RuleRun): Checked {
  const all = rules.map((chosen) => checkOne(project, chosen, run))
  return {
    findings: all.flatMap(({ findings }) => findings),
    unchecked: all.flatMap(({ unchecked }) => unchecked),
  }
}

function checkOne(project: LintProject, { rule, severity }: ChosenRule, run: RuleRun): Checked {
  const lacking = rule.needs.filter((need) => need !== 'findings' && !project.has.has(need))
  if (lacking.length > 0) {
    const subject = { kind: 'project', name: project.index.settings.name } as const
    return {
      findings: [],
      unchecked: [
        { rule: rule.id, subject, reason: `it needs ${lacking.map((need) => NEEDS[need]).join(', and ')}` },
      ],
    }
  }
  const answers = rule.check(project, run)
  const twins = new Map<string, number>()
  return {
    findings: answers.filter(isHit).map((hit) => toFinding(hit, { project, rule, severity, twins })),
    unchecked: answers.flatMap((answer) =>
      isHit(answer) ? [] : [{ rule: rule.id, subject: answer.subject, reason: answer.unchecked }],
    ),
  }
}

function isHit(answer: Hit | Unchecked): answer is Hit {
  return 'message' in answer
}

interface FindingOptions extends ChosenRule {
  readonly project: LintProject
  /** The count of each subject. */
  readonly twins: Map<string, number>
}

function toFinding(hit: Hit, { project, rule, severity, twins }: FindingOptions): Finding {
  const { fix, help, message, place, subject } = hit
  const file = project.files.get(place.path) ?? { path: place.path, text: '', lineStarts: [0] }
  const start = positionOf(file, place.start)
  return {
    rule: rule.id,
    name: rule.name,
    group: rule.group,
    severity,
    message,
    help: help ?? rule.docs.remedy,
    path: place.path,
    start,
    end: positionOf(file, place.end),
    line: lineOf(file, start.line),
    subject,
    fingerprint: fingerprintOf(rule.id, subject, twins),
    ...(fix && { fix }),
  }
}

interface Sorted {
  readonly findings: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly used: ReadonlySet<Suppression>
}

function suppress(all: readonly Finding[], suppressions: readonly Suppression[]): Sorted {
  const used = new Set<Suppression>()
  const findings: Finding[] = []
  const suppressed: SuppressedFinding[] = []
  for (const finding of all) {
    const covering = suppressions.filter(({ covers }) => covers(finding))
    for (const one of covering) used.add(one)
    const [first] = covering
    if (first) suppressed.push({ finding, reason: first.reason, kind: first.kind })
    else findings.push(finding)
  }
  return { findings, suppressed, used }
}
