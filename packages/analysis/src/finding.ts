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
  /** Behind the last character. */
  readonly end: Position
  /** The line of `start`, as it is written. */
  readonly line: string
  readonly subject: Subject
  /** Stays the same when lines move and files are renamed: SHA-256 of rule and subject, with a count for twins. */
  readonly fingerprint: string
  readonly fix?: Fix
}

/** A finding that somebody meant to be so. */
export interface SuppressedFinding {
  readonly finding: Finding
  readonly reason: string | undefined
  readonly kind: 'comment' | 'properties' | 'configuration' | 'baseline'
}

/** What was not looked at, and why. */
export interface UncheckedSubject {
  readonly rule: string
  readonly subject: Subject
  readonly reason: string
}

/** A rule as reports speak of it. */
export interface ReportedRule {
  /** `SC203`; of `stagecraft check` the kind of finding: `drift`. */
  readonly id: string
  readonly name: string
  readonly group: string
  readonly severity: Severity
  readonly summary: string
  readonly docs?: RuleDocs
}

/** What came of checking a project: by `lint`, by rules; by `check`, against its warehouse. */
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

/** Leaves what is about some of the files in a report. */
export function narrowReport(report: Report, isShown: (path: string) => boolean): Report {
  return {
    ...report,
    findings: report.findings.filter(({ path }) => isShown(path)),
    suppressed: report.suppressed.filter(({ finding }) => isShown(finding.path)),
  }
}
