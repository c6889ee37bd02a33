import { compareText } from '@stagecraft/spec'
import type { Fix, RuleDocs, Severity, Subject } from './vocabulary.ts'
import type { Position } from './project/source-file.ts'

/** One finding of one rule, ready to be shown. */
export interface Finding {
  /** `SC203`. */
  readonly rule: string
  /** `staging-joins-sources`. */
  readonly name: string
  readonly group: string
  readonly severity: Severity
  readonly message: string
  /** What to do. */
  readonly help: string
  /** Relative to the project. */
  readonly path: string
  readonly start: Position
  /** The position after the last character. */
  readonly end: Position
  /** The text of the line of `start`. */
  readonly line: string
  readonly subject: Subject
  /** SHA-256 of rule and subject, with a count for twins. It stays the same when lines move and files are renamed. */
  readonly fingerprint: string
  readonly fix?: Fix
}

/** An intended finding. */
export interface SuppressedFinding {
  readonly finding: Finding
  readonly reason: string | undefined
  readonly kind: 'comment' | 'properties' | 'configuration' | 'baseline'
}

/** The parts that were not checked, and why. */
export interface UncheckedSubject {
  readonly rule: string
  readonly subject: Subject
  readonly reason: string
}

/** A rule as shown in reports. */
export interface ReportedRule {
  /** `SC203`; for `stagecraft check` the kind of finding: `drift`. */
  readonly id: string
  readonly name: string
  readonly group: string
  readonly severity: Severity
  readonly summary: string
  readonly docs?: RuleDocs
}

/** The result of checking a project: by rules (`lint`), or against its warehouse (`check`). */
export interface Report {
  /** In the order of files and places. */
  readonly findings: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly unchecked: readonly UncheckedSubject[]
  /** The rules that were checked. */
  readonly rules: readonly ReportedRule[]
  readonly fileCount: number
  readonly modelCount: number
}

/** Orders findings by files and places. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    compareText(a.path, b.path) ||
    a.start.line - b.start.line ||
    a.start.column - b.start.column ||
    compareText(a.rule, b.rule)
  )
}

/** Limits a report to some of the files. */
export function narrowReport(report: Report, isShown: (path: string) => boolean): Report {
  return {
    ...report,
    findings: report.findings.filter(({ path }) => isShown(path)),
    suppressed: report.suppressed.filter(({ finding }) => isShown(finding.path)),
  }
}
