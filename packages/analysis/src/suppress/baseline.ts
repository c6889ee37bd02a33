import { compareText, StagecraftError } from '@stagecraft/spec'
import { compareFindings, type Finding, type Report } from '../finding.ts'
import { fingerprintOf } from '../fingerprint.ts'
import type { ChosenRule } from '../lint.ts'
import { lineOf, positionOf, type SourceFile, sourceFile } from '../project/source-file.ts'

/** The file of accepted findings of a project. It is sorted and has no line numbers, so it merges well. */
export const BASELINE_FILE = '.stagecraft-baseline.json'

/** A known finding. */
interface BaselineEntry {
  readonly rule: string
  /** For people: `model stg_shop__orders (tax)`. */
  readonly subject: string
  readonly fingerprint: string
}

/** The known findings of a project. */
export interface Baseline {
  readonly file: SourceFile
  readonly entries: readonly BaselineEntry[]
}

/**
 * Reads a baseline.
 *
 * @param path Relative to the project, for findings in it.
 * @throws {StagecraftError} INVALID_REQUEST for an invalid baseline.
 */
export function parseBaseline(text: string, path: string): Baseline {
  const data = parseJson(text, path)
  if (!isRecord(data) || data['version'] !== 1)
    throw fault(path, 'version: 1', 'another version, or no version')
  const { findings } = data
  if (!Array.isArray(findings)) throw fault(path, 'a list in findings', typeof findings)
  return { file: sourceFile(path, text), entries: findings.map((one, index) => toEntry(one, path, index)) }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw fault(path, 'JSON', /^<{7} /m.test(text) ? 'Git conflict markers' : reason)
  }
}

function toEntry(value: unknown, path: string, index: number): BaselineEntry {
  const { fingerprint, rule, subject } = isRecord(value) ? value : {}
  if (typeof rule !== 'string' || typeof subject !== 'string')
    throw fault(`${path} findings[${index}]`, 'a rule and a subject', JSON.stringify(value))
  if (typeof fingerprint !== 'string' || !/^[0-9a-f]{64}$/.test(fingerprint))
    throw fault(
      `${path} findings[${index}].fingerprint`,
      '64 hexadecimal digits',
      JSON.stringify(fingerprint),
    )
  return { rule, subject, fingerprint }
}

function fault(path: string, expected: string, received: string): StagecraftError {
  return StagecraftError.invalid(
    { path, expected, received },
    { suggestion: 'delete the file and write it again with --update-baseline' },
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the entries of a baseline after a run: the findings, and earlier entries of unchecked rules. */
export function nextEntries(report: Report, before: Baseline | undefined): readonly BaselineEntry[] {
  const checked = new Set(report.rules.map(({ id }) => id))
  const kept = (before?.entries ?? []).filter(({ rule }) => !checked.has(rule))
  return [...kept, ...report.findings.map(entryOf)].toSorted(
    (a, b) =>
      compareText(a.rule, b.rule) ||
      compareText(a.subject, b.subject) ||
      compareText(a.fingerprint, b.fingerprint),
  )
}

function entryOf({ fingerprint, rule, subject: { detail, kind, name } }: Finding): BaselineEntry {
  return { rule, subject: `${kind} ${name}${detail === undefined ? '' : ` (${detail})`}`, fingerprint }
}

/** Prints a baseline, one entry per line. */
export function printBaseline(entries: readonly BaselineEntry[]): string {
  const lines = entries.map(
    ({ fingerprint, rule, subject }) => `    ${JSON.stringify({ rule, subject, fingerprint })}`,
  )
  return `{\n  "version": 1,\n  "findings": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`
}

export interface BaselineOptions {
  /** The rule that reports entries without a finding, if it is on. */
  readonly stale: ChosenRule | undefined
  /** Returns true for a file of the project. The findings of a file that is gone are known in the file that has them now. @default all files are there */
  readonly isThere?: (path: string) => boolean
}

/**
 * Removes known findings from a report of the whole project. Entries of checked rules without a finding are findings
 * themselves.
 */
export function applyBaseline(
  report: Report,
  { entries: written, file }: Baseline,
  { isThere = () => true, stale }: BaselineOptions,
): Report {
  const entries = followRenames(written, report, isThere)
  const known = new Set(entries.map(({ fingerprint }) => fingerprint))
  const found = new Set(report.findings.map(({ fingerprint }) => fingerprint))
  const checked = new Set(report.rules.map(({ id }) => id))
  const gone = entries.filter(({ fingerprint, rule }) => checked.has(rule) && !found.has(fingerprint))
  const twins = new Map<string, number>()
  const findings = stale ? gone.map((entry) => staleFinding(entry, { chosen: stale, file, twins })) : []
  const isListed = report.rules.some(({ id }) => id === stale?.rule.id)
  return {
    ...report,
    rules: stale && !isListed ? [...report.rules, { ...stale.rule, severity: stale.severity }] : report.rules,
    findings: [...report.findings.filter(({ fingerprint }) => !known.has(fingerprint)), ...findings].toSorted(
      compareFindings,
    ),
    suppressed: [
      ...report.suppressed,
      ...report.findings
        .filter(({ fingerprint }) => known.has(fingerprint))
        .map((finding) => ({ finding, reason: undefined, kind: 'baseline' as const })),
    ],
  }
}

/** Returns entries with those of renamed files as entries of the finding that has the same rule and detail, each of them once. */
function followRenames(
  entries: readonly BaselineEntry[],
  { findings }: Report,
  isThere: (path: string) => boolean,
): readonly BaselineEntry[] {
  const known = new Set(entries.map(({ fingerprint }) => fingerprint))
  const open = findings.filter(
    ({ fingerprint, subject }) => subject.kind === 'file' && !known.has(fingerprint),
  )
  const found = new Set(findings.map(({ fingerprint }) => fingerprint))
  return entries.map((entry) => {
    const [, path = '', detail] = /^file (.+?)(?: \((.*)\))?$/s.exec(entry.subject) ?? []
    if (path === '' || found.has(entry.fingerprint) || isThere(path)) return entry
    const at = open.findIndex(({ rule, subject }) => rule === entry.rule && subject.detail === detail)
    const [moved] = at === -1 ? [] : open.splice(at, 1)
    return moved ? entryOf(moved) : entry
  })
}

interface StaleOptions {
  readonly chosen: ChosenRule
  readonly file: SourceFile
  readonly twins: Map<string, number>
}

function staleFinding(entry: BaselineEntry, { chosen, file, twins }: StaleOptions): Finding {
  const { rule, severity } = chosen
  const start = positionOf(file, Math.max(0, file.text.indexOf(entry.fingerprint)))
  const line = lineOf(file, start.line)
  const subject = { kind: 'file', name: file.path, detail: `${entry.rule} ${entry.subject}` } as const
  return {
    rule: rule.id,
    name: rule.name,
    group: rule.group,
    severity,
    message: `the baseline has ${entry.rule} of ${entry.subject}, which lint no longer finds`,
    help: 'drop it with --update-baseline',
    path: file.path,
    start: { line: start.line, column: line.length - line.trimStart().length + 1 },
    end: { line: start.line, column: line.length + 1 },
    line,
    subject,
    fingerprint: fingerprintOf(rule.id, subject, twins),
  }
}
