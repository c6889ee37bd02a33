import type { Fix, Group, Severity, Subject } from './vocabulary.ts'
import type { Position } from './project/source-file.ts'

/** One finding of one rule, ready to be shown. */
export interface Finding {
  /** `SC203`. */
  readonly rule: string
  /** `staging-joins-sources`. */
  readonly name: string
  readonly group: Group
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
  readonly kind: 'comment' | 'properties' | 'configuration'
}

/** What was not looked at, and why. */
export interface UncheckedSubject {
  readonly rule: string
  readonly subject: Subject
  readonly reason: string
}

/** What came of checking a project. */
export interface LintReport {
  /** In the order of files and places. */
  readonly findings: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly unchecked: readonly UncheckedSubject[]
  /** Ids of the rules that were checked. */
  readonly rules: readonly string[]
  readonly fileCount: number
  readonly modelCount: number
}
