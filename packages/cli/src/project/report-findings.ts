import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import {
  applyBaseline,
  type BaselineOptions,
  type Baseline,
  BASELINE_FILE,
  type FormatName,
  type FormatOptions,
  nextEntries,
  parseBaseline,
  printBaseline,
  printReport,
  printSummary,
  type Report,
} from '@stagecraft/analysis/report'
import { StagecraftError } from '@stagecraft/spec'
import { EXIT_DIFFERENCE } from '../exit-codes.ts'
import type { ProjectPrefixes } from '../files/choose-project.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { writeBeside, writeOutput } from '../files/write-beside.ts'
import { readHistory } from './read-history.ts'
import { readVersion } from '../read-version.ts'
import { paintOutput } from '../terminal/paint.ts'
import { count } from '../terminal/report.ts'

/** The flags of all commands that report findings. */
export interface ReportFlags {
  readonly format: FormatName
  /** Short for `--format json`. */
  readonly json?: boolean
  readonly output?: string
  readonly maxWarnings?: string
  /** A file; true for the project's default file, false for none. @default true */
  readonly baseline?: string | boolean
  readonly updateBaseline?: boolean
  /** Earlier JSON reports, or folders with them. */
  readonly history?: readonly string[]
}

/**
 * Checks the flags of a report before anything else.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a limit that is not a number.
 */
export function assertReportFlags({
  baseline,
  format,
  history,
  json,
  maxWarnings,
  updateBaseline,
}: ReportFlags): void {
  if (json && format !== 'json')
    throw StagecraftError.invalid({
      path: '--json',
      expected: 'no other format with it',
      received: `--format ${format}`,
    })
  if (maxWarnings !== undefined && !/^\d{1,9}$/.test(maxWarnings))
    throw StagecraftError.invalid({
      path: '--max-warnings',
      expected: 'a whole number from 0',
      received: maxWarnings,
    })
  if (history && format !== 'html')
    throw StagecraftError.invalid({
      path: '--history',
      expected: '--format html with it',
      received: format,
    })
  if (updateBaseline && baseline === false)
    throw StagecraftError.invalid({
      path: '--update-baseline',
      expected: 'a baseline',
      received: '--no-baseline',
    })
}

/** The known findings of a project, and their file. */
export interface KnownFindings {
  readonly file: string
  /** Undefined if the file does not exist yet. */
  readonly baseline: Baseline | undefined
}

/**
 * Reads the known findings.
 *
 * @throws {StagecraftError} INVALID_REQUEST if a named file is missing or unreadable.
 */
export async function readKnown(root: string, flags: ReportFlags): Promise<KnownFindings | undefined> {
  const { baseline: given = true, updateBaseline = false } = flags
  if (given === false) return undefined
  const file = typeof given === 'string' ? resolve(given) : join(root, BASELINE_FILE)
  if (!existsSync(file) && typeof given === 'string' && !updateBaseline)
    throw StagecraftError.invalid(
      { path: '--baseline', expected: 'a file', received: `${given}, which does not exist` },
      { suggestion: '--update-baseline writes it' },
    )
  const text = await readIfThere(file)
  const path = relative(root, file).split(sep).join('/')
  return { file, baseline: text === undefined ? undefined : parseBaseline(text, path) }
}

/** Removes known findings from a report of the whole project. */
export function withoutKnown(
  report: Report,
  known: KnownFindings | undefined,
  options: BaselineOptions,
): Report {
  return known?.baseline ? applyBaseline(report, known.baseline, options) : report
}

/** Writes the findings as known ones, and returns them as read back. */
export function updateKnown(report: Report, { baseline, file }: KnownFindings, root: string): KnownFindings {
  const entries = nextEntries(report, baseline)
  const text = printBaseline(entries)
  writeBeside(file, text).place()
  const before = new Set(baseline?.entries.map(({ fingerprint }) => fingerprint))
  const after = new Set(entries.map(({ fingerprint }) => fingerprint))
  const added = [...after].filter((one) => !before.has(one)).length
  const dropped = [...before].filter((one) => !after.has(one)).length
  const name = relative(process.cwd(), file)
  process.stderr.write(
    `${name}: ${count(entries.length, 'known finding')}, ${added} added, ${dropped} dropped\n`,
  )
  return { file, baseline: parseBaseline(text, relative(root, file).split(sep).join('/')) }
}

interface DeliverOptions extends Pick<FormatOptions, 'title' | 'lineage'> {
  readonly prefixes: ProjectPrefixes
}

/** Prints a report or writes it to a file, and sets the exit code. */
export async function deliverReport(
  report: Report,
  flags: ReportFlags,
  { prefixes, ...page }: DeliverOptions,
): Promise<void> {
  const { format, maxWarnings, output } = flags
  const text = printReport(report, format, {
    version: readVersion(),
    ...page,
    ...(flags.history && { history: await readHistory(flags.history) }),
    prefix: format === 'text' ? prefixes.fromHere : prefixes.fromRepository,
    ...(format === 'text' && output === undefined && { paint: paintOutput }),
  })
  if (output === undefined) process.stdout.write(text)
  else {
    writeOutput('--output', output, text)
    process.stderr.write(`${printSummary(report)}; written to ${output}\n`)
  }
  const warnings = report.findings.filter(({ severity }) => severity === 'warning').length
  const limit = maxWarnings === undefined ? Number.POSITIVE_INFINITY : Number(maxWarnings)
  if (warnings > limit || report.findings.some(({ severity }) => severity === 'error'))
    process.exitCode = EXIT_DIFFERENCE
}
