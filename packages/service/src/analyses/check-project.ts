import {
  chooseRules,
  countSeverities,
  type Finding,
  findRule,
  lint,
  type LintProject,
  readLintProject,
  type Report,
  scoreOf,
} from '@stagecraft/analysis'
import { parseConfig } from '@stagecraft/core'
import { type FileTree, readText } from '@stagecraft/dbt'
import type { DialectName } from '@stagecraft/spec'
import type { FindingState, NotChecked } from '@stagecraft/spec/api'
import type { FindingRow } from '../store/schema.ts'

/** The selected rules. */
export interface RuleChoice {
  readonly select?: readonly string[]
  readonly ignore?: readonly string[]
}

/** A project and its findings. */
export interface CheckedProject {
  readonly project: LintProject
  readonly report: Report
}

/**
 * Checks a project by the rules that its `stagecraft.yml` configures. No code of the project runs, so rules that need
 * compiled SQL are not checked.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an unknown rule, and for a project that cannot be read.
 */
export async function checkProject(
  tree: FileTree,
  choice: RuleChoice,
  dialect: DialectName | undefined,
): Promise<CheckedProject> {
  const text = (await readText(tree, 'stagecraft.yml')) ?? ''
  const config = parseConfig(text, 'stagecraft.yml')
  const rules = chooseRules({ ...choice, severities: config.lint?.rules ?? {} })
  const chosen = config.dialect ?? dialect
  const project = await readLintProject(tree, {
    ...(chosen && { dialect: chosen }),
    ignore: { path: 'stagecraft.yml', text, settings: config.lint?.ignore ?? [] },
  })
  return { project, report: lint(project, { rules, findRule }) }
}

/** The maximum number of stored findings of one analysis. */
const MOST_FINDINGS = 10_000

/** The maximum length of a stored line and of a stored message. */
const LONGEST_LINE = 400
const LONGEST_TEXT = 4000

/** A stored finding, without its analysis. */
export type StoredFinding = Omit<FindingRow, 'id' | 'project_id' | 'analysis_id' | 'created_at'>

/** The part of a report that leaves its thread. The state of its findings is not known yet. */
export interface ReportSummary {
  /** In the order of files and lines, up to the limit. */
  readonly findings: readonly StoredFinding[]
  /** Of all findings. */
  readonly fingerprints: readonly string[]
  readonly severities: ReturnType<typeof countSeverities>
  readonly columns: Omit<StoredReport['columns'], 'findings'>
}

/** The stored part of a report. */
export interface StoredReport {
  /** In the order of files and lines; fixed ones come last. */
  readonly findings: readonly StoredFinding[]
  readonly columns: {
    readonly files: number
    readonly models: number
    readonly score: string
    readonly findings: string
    readonly unlisted: number
    readonly suppressed: number
    readonly unchecked: number
    readonly not_checked: string
  }
}

/** Returns the part of a report that is stored. */
export function summarizeReport(report: Report): ReportSummary {
  const listed = report.findings.slice(0, MOST_FINDINGS)
  return {
    findings: listed.map((finding) => toStored(finding, 'new')),
    fingerprints: report.findings.map(({ fingerprint }) => fingerprint),
    severities: countSeverities(report.findings),
    columns: {
      files: report.fileCount,
      models: report.modelCount,
      score: JSON.stringify(scoreOf(report)),
      unlisted: report.findings.length - listed.length,
      suppressed: report.suppressed.length,
      unchecked: report.unchecked.length,
      not_checked: JSON.stringify(notChecked(report)),
    },
  }
}

/** Compares a report with the findings of the previous analysis, and returns the part to store. */
export function compareReport(
  { columns, findings, fingerprints, severities }: ReportSummary,
  before: readonly StoredFinding[] | undefined,
): StoredReport {
  const known = new Set(before?.map(({ fingerprint }) => fingerprint))
  const found = new Set(fingerprints)
  const fixed = (before ?? [])
    .filter(({ fingerprint }) => !found.has(fingerprint))
    .map((finding) => ({ ...finding, state: 'fixed' as const }))
  const unchanged = fingerprints.filter((fingerprint) => known.has(fingerprint)).length
  const counts = {
    ...severities,
    new: fingerprints.length - unchanged,
    unchanged,
    fixed: fixed.length,
  }
  const listed = findings.map((finding): StoredFinding => ({
    ...finding,
    state: known.has(finding.fingerprint) ? 'unchanged' : 'new',
  }))
  return {
    findings: [...listed, ...fixed],
    columns: { ...columns, findings: JSON.stringify(counts) },
  }
}

function toStored(finding: Finding, state: FindingState): StoredFinding {
  const { end, fix, start, subject } = finding
  return {
    rule: finding.rule,
    name: finding.name,
    rule_group: finding.group,
    severity: finding.severity,
    state,
    message: plain(finding.message, LONGEST_TEXT),
    help: plain(finding.help, LONGEST_TEXT),
    path: plain(finding.path, LONGEST_TEXT),
    start_line: start.line,
    start_column: start.column,
    end_line: end.line,
    end_column: end.column,
    text: plain(finding.line, LONGEST_LINE),
    subject: JSON.stringify({
      kind: subject.kind,
      name: plain(subject.name, LONGEST_TEXT),
      ...(subject.detail !== undefined && { detail: plain(subject.detail, LONGEST_TEXT) }),
    }),
    fix: fix ? JSON.stringify({ safety: fix.safety, summary: plain(fix.summary, LONGEST_TEXT) }) : null,
    fingerprint: finding.fingerprint,
  }
}

/** PostgreSQL accepts neither a zero character nor half of a surrogate pair. */
function plain(text: string, longest: number): string {
  return text.slice(0, longest).replaceAll('\0', '\ufffd').toWellFormed()
}

const MOST_REASONS = 200
const NAMED = 5

function notChecked({ unchecked }: Report): readonly NotChecked[] {
  const groups = Map.groupBy(unchecked, ({ reason, rule }) => JSON.stringify([rule, reason]))
  return [...groups.values()].slice(0, MOST_REASONS).flatMap((group) => {
    const [first] = group
    if (!first) return []
    const names = [...new Set(group.map(({ subject }) => plain(subject.name, LONGEST_LINE)))]
    const reason = plain(first.reason, LONGEST_TEXT)
    return [{ rule: first.rule, reason, subjects: group.length, names: names.slice(0, NAMED) }]
  })
}
