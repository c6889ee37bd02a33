import { editYaml, type YamlEdit } from '@stagecraft/dbt'
import { isDeepStrictEqual } from 'node:util'
import { parseDocument } from 'yaml'
import type { Finding } from '../finding.ts'
import type { LintProject } from '../project/lint-project.ts'
import type { TextEdit } from '../vocabulary.ts'
import { canonicalData } from './canonical-data.ts'

export interface FixOptions {
  /** Also applies fixes that need a review. @default false */
  readonly unsafe?: boolean
}

/** A file that fixes change. */
export interface FixedFile {
  readonly path: string
  /** Undefined for the target of a move. */
  readonly before: string | undefined
  /** Undefined for the origin of a move. */
  readonly after: string | undefined
}

export interface FixReport {
  readonly files: readonly FixedFile[]
  /** Findings whose fix is in the files. */
  readonly fixed: readonly Finding[]
  /** Findings whose fix failed, and why. */
  readonly refused: readonly Refused[]
}

/** A finding whose fix failed. */
interface Refused {
  readonly finding: Finding
  readonly reason: string
}

/**
 * Computes the fixes of findings; writes nothing. Every byte outside the edits stays. Edited YAML is read again, and
 * a fix that changes more than intended is refused.
 */
export function applyFixes(
  project: LintProject,
  findings: readonly Finding[],
  { unsafe = false }: FixOptions = {},
): FixReport {
  const allowed = findings.filter(({ fix }) => fix && (unsafe || fix.safety === 'safe'))
  const [wanted, held] = apart(allowed)
  const byFile = Map.groupBy(
    wanted.filter(({ fix }) => fix?.edit.kind !== 'move'),
    pathOf,
  )
  const edited = [...byFile].map(([path, own]) => fixFile(path, project.files.get(path)?.text ?? '', own))
  const reports = [...edited, moveFiles(project, wanted, new Set(byFile.keys()))]
  return {
    files: reports.flatMap(({ files }) => files),
    fixed: reports.flatMap(({ fixed }) => fixed),
    refused: [
      ...reports.flatMap(({ refused }) => refused),
      ...held.map((finding) => ({ finding, reason: 'another fix changes the same subject; run again' })),
    ],
  }
}

/**
 * Splits findings into those that are fixed now, and those that wait. A fix that needs a review may make another one of the same subject
 * wrong: a renamed column is no longer missing.
 */
function apart(findings: readonly Finding[]): readonly [now: readonly Finding[], held: readonly Finding[]] {
  const first = new Map<string, string>()
  for (const finding of findings)
    if (finding.fix?.safety === 'unsafe' && !first.has(subjectOf(finding)))
      first.set(subjectOf(finding), finding.rule)
  const isHeld = (finding: Finding): boolean => {
    const rule = first.get(subjectOf(finding))
    return rule !== undefined && rule !== finding.rule
  }
  return [findings.filter((finding) => !isHeld(finding)), findings.filter(isHeld)]
}

function subjectOf({ subject: { kind, name } }: Finding): string {
  return `${kind} ${name}`
}

function pathOf({ fix, path }: Finding): string {
  return fix?.edit.kind === 'text' ? (fix.edit.edits[0]?.path ?? path) : (fix?.edit.path ?? path)
}

/** Moves files that have no other fix, each to a free path. */
function moveFiles(
  { files }: LintProject,
  findings: readonly Finding[],
  edited: ReadonlySet<string>,
): FixReport {
  const taken = new Set(edited)
  const report = { files: [] as FixedFile[], fixed: [] as Finding[], refused: [] as Refused[] }
  for (const finding of findings) {
    if (finding.fix?.edit.kind !== 'move') continue
    const { path, to } = finding.fix.edit
    const text = files.get(path)?.text
    const isFree = text !== undefined && !taken.has(path) && !taken.has(to) && !files.has(to)
    if (!isFree) {
      const reason = files.has(to)
        ? `the file ${to} already exists`
        : 'another fix changes the same file; run again'
      report.refused.push({ finding, reason })
      continue
    }
    taken.add(path).add(to)
    report.files.push({ path, before: text, after: undefined }, { path: to, before: undefined, after: text })
    report.fixed.push(finding)
  }
  return report
}

function fixFile(path: string, before: string, findings: readonly Finding[]): FixReport {
  const texts = replaceTexts(path, before, findings)
  const yaml = editEntries(path, texts.after, findings)
  const files = yaml.after === before ? [] : [{ path, before, after: yaml.after }]
  return {
    files,
    fixed: [...texts.fixed, ...yaml.fixed],
    refused: [...texts.refused, ...yaml.refused],
  }
}

interface Changed extends Omit<FixReport, 'files'> {
  readonly after: string
}

/** Replaces pieces of text from the end to the start. If fixes overlap, only the first one is applied. */
function replaceTexts(path: string, before: string, findings: readonly Finding[]): Changed {
  const taken: TextEdit[] = []
  const fixed: Finding[] = []
  const refused: FixReport['refused'][number][] = []
  for (const finding of findings) {
    if (finding.fix?.edit.kind !== 'text') continue
    const { edits } = finding.fix.edit
    const isFree = edits.every((edit) => !taken.some((other) => overlaps(edit, other)))
    if (isFree) taken.push(...edits)
    if (isFree) fixed.push(finding)
    else refused.push({ finding, reason: 'another fix changes the same text; run again' })
  }
  const after = taken
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { end, start, text: inserted }) => text.slice(0, start) + inserted + text.slice(end),
      before,
    )
  if (!/\.ya?ml$/i.test(path) || taken.length === 0 || saysTheSame(before, after))
    return { after, fixed, refused }
  const reason = 'this file cannot be edited safely; edit it by hand'
  return { after: before, fixed: [], refused: [...refused, ...fixed.map((finding) => ({ finding, reason }))] }
}

function overlaps(a: TextEdit, b: TextEdit): boolean {
  return a.start < b.end && b.start < a.end
}

/** Returns true if YAML has the same meaning after its edits. */
function saysTheSame(before: string, after: string): boolean {
  const [old, edited] = [before, after].map((text) =>
    parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'silent' }),
  )
  if (!old || !edited || edited.errors.length > 0 || repeatedKeys(after) > repeatedKeys(before)) return false
  return isDeepStrictEqual(canonicalData(old.toJS()), canonicalData(edited.toJS()))
}

/** The number of repeated keys: dbt reads only the last one. */
function repeatedKeys(text: string): number {
  const { errors } = parseDocument(text, { merge: true, uniqueKeys: true, logLevel: 'silent' })
  return errors.filter(({ code }) => code === 'DUPLICATE_KEY').length
}

function editEntries(path: string, before: string, findings: readonly Finding[]): Changed {
  const edits = findings.flatMap((finding) =>
    finding.fix?.edit.kind === 'yaml' ? finding.fix.edit.edits.map((edit) => ({ edit, finding })) : [],
  )
  if (edits.length === 0) return { after: before, fixed: [], refused: [] }
  const { outcomes, text } = editYaml(
    { path, text: before },
    edits.map(({ edit }): YamlEdit => edit),
  )
  const refused = new Map<Finding, string>()
  for (const [index, outcome] of outcomes.entries()) {
    const finding = edits[index]?.finding
    if (finding && 'reason' in outcome) refused.set(finding, outcome.reason)
  }
  const all = new Set(edits.map(({ finding }) => finding))
  return {
    after: text,
    fixed: [...all].filter((finding) => !refused.has(finding)),
    refused: [...refused].map(([finding, reason]) => ({ finding, reason })),
  }
}
