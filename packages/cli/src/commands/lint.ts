import { join, resolve } from 'node:path'
import { styleText } from 'node:util'
import {
  applyFixes,
  chooseRules,
  findRule,
  type FixReport,
  type FormatName,
  lint,
  type LintOptions,
  type LintProject,
  type LintReport,
  printReport,
  printSummary,
  readLintProject,
} from '@stagecraft/analysis'
import { diskTree } from '@stagecraft/dbt'
import { type Config, type DialectName, escapeInvisible, StagecraftError } from '@stagecraft/spec'
import { EXIT_DIFFERENCE } from '../exit-codes.ts'
import { chooseProject, type ChosenProject } from '../files/choose-project.ts'
import { loadConfig } from '../files/load-config.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { writeAllBeside, writeBeside } from '../files/write-beside.ts'
import { paint } from '../terminal/paint.ts'
import { count } from '../terminal/report.ts'
import { readVersion } from '../read-version.ts'

export interface LintFlags {
  readonly fix?: boolean
  readonly unsafe?: boolean
  readonly select?: readonly string[]
  readonly ignore?: readonly string[]
  readonly format: FormatName
  readonly output?: string
  readonly maxWarnings?: string
  readonly dialect?: DialectName
  readonly config?: string
}

/** How often fixes are worked out anew: one may make room for another. */
const PASSES = 5

/** `stagecraft lint`: checks a dbt project, mends it with `--fix`, and says what is left. */
export async function lintCommand(paths: readonly string[], flags: LintFlags): Promise<void> {
  const limit = readLimit(flags.maxWarnings)
  if (flags.unsafe && !flags.fix) throw invalid('unsafe', '--fix beside it', 'no --fix')
  const chosen = await chooseProject(paths)
  const run = await prepare(chosen, flags)
  const report = flags.fix ? await fixAll(run, flags) : lint(await run.read(), run.options)
  const version = readVersion()
  const prefix = flags.format === 'text' ? chosen.fromHere : chosen.fromRepository
  const isTerminal = flags.format === 'text' && flags.output === undefined
  const text = printReport(report, flags.format, {
    version,
    prefix,
    ...(isTerminal && { paint: (style, piece) => styleText(style, piece, { stream: process.stdout }) }),
  })
  if (flags.output === undefined) process.stdout.write(text)
  else {
    writeBeside(resolve(flags.output), text).place()
    process.stderr.write(`${printSummary(report)}; written to ${flags.output}\n`)
  }
  if (isOver(report, limit)) process.exitCode = EXIT_DIFFERENCE
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw invalid('max-warnings', 'a whole number from 0', text)
}

function invalid(path: string, expected: string, received: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', `--${path}: expected ${expected}, got ${received}`, {
    details: { faults: [{ path, expected, received }] },
  })
}

/** A project that can be read again after it was written to. */
interface LintRun {
  readonly root: string
  readonly read: () => Promise<LintProject>
  readonly options: LintOptions
}

async function prepare({ isShown, root }: ChosenProject, flags: LintFlags): Promise<LintRun> {
  const { config, file } = await loadProjectConfig(root, flags.config)
  const dialect = flags.dialect ?? config.dialect
  const text = (file && (await readIfThere(file))) ?? ''
  const rules = chooseRules({
    ...(flags.select && { select: flags.select }),
    ...(flags.ignore && { ignore: flags.ignore }),
    severities: config.lint?.rules ?? {},
  })
  return {
    root,
    options: { rules, isShown, isRule: (id) => findRule(id) !== undefined },
    read: () =>
      readLintProject(diskTree(root), {
        ...(dialect && { dialect }),
        ignore: { path: 'stagecraft.yml', text, settings: config.lint?.ignore ?? [] },
      }),
  }
}

/** The configuration that is named, that of the current folder, or that of the project. */
async function loadProjectConfig(
  root: string,
  path: string | undefined,
): Promise<{ readonly config: Config; readonly file: string | undefined }> {
  const here = await loadConfig(path)
  if (here.file !== undefined) return here
  const beside = join(root, 'stagecraft.yml')
  return (await readIfThere(beside)) === undefined ? here : loadConfig(beside)
}

/** Applies fixes until none is left, and answers what is found then. */
async function fixAll({ options, read, root }: LintRun, { unsafe = false }: LintFlags): Promise<LintReport> {
  let fixed = 0
  const files = new Set<string>()
  for (let pass = 1; ; pass += 1) {
    const project = await read()
    const report = lint(project, options)
    const fixes = applyFixes(project, report.findings, { unsafe })
    if (fixes.files.length === 0 || pass > PASSES) {
      reportFixes({ fixed, files: files.size, refused: fixes.refused })
      return report
    }
    await writeFixes(root, fixes)
    fixed += fixes.fixed.length
    for (const { path } of fixes.files) files.add(path)
  }
}

async function writeFixes(root: string, { files }: FixReport): Promise<void> {
  for (const { before, path } of files) {
    if ((await readIfThere(join(root, path))) === before) continue
    throw new StagecraftError('INVALID_REQUEST', `${path} changed while it was checked; run lint again`)
  }
  for (const { place } of writeAllBeside(files.map(({ after, path }) => [join(root, path), after]))) place()
}

interface Fixes {
  readonly fixed: number
  readonly files: number
  readonly refused: FixReport['refused']
}

function reportFixes({ files, fixed, refused }: Fixes): void {
  process.stderr.write(`${paint('green', 'fixed')} ${count(fixed, 'finding')} in ${count(files, 'file')}\n`)
  for (const { finding, reason } of refused) {
    const place = `${finding.path}:${finding.start.line}`
    process.stderr.write(
      `${paint('yellow', 'not fixed')} ${escapeInvisible(`${place} ${finding.rule}: ${reason}`)}\n`,
    )
  }
}

function isOver({ findings }: LintReport, limit: number): boolean {
  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  return warnings > limit || findings.some(({ severity }) => severity === 'error')
}
