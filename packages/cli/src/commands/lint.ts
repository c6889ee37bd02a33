import { join } from 'node:path'
import { applyFixes, type Finding, type FixReport, modelLineage } from '@stagecraft/analysis'
import { writeChanges } from '@stagecraft/dbt'
import { escapeForTerminal, StagecraftError } from '@stagecraft/spec'
import { chooseProject, type ChosenProject } from '../files/choose-project.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { type LintRun, type LintRunFlags, type NewTexts, openLintRun } from '../project/lint-run.ts'
import { finishInterrupted } from '../project/open-project.ts'
import { describeDifference } from '../project/print-plan.ts'
import {
  assertReportFlags,
  deliverReport,
  type KnownFindings,
  readKnown,
  type ReportFlags,
  updateKnown,
} from '../project/report-findings.ts'
import { paint } from '../terminal/paint.ts'
import { count } from '../terminal/report.ts'
import { rulesCommand } from './rules.ts'

export interface LintFlags extends ReportFlags, LintRunFlags {
  readonly fix?: boolean
  readonly unsafe?: boolean
  readonly dryRun?: boolean
  readonly projectDir?: string
  /** A rule to explain instead of a run. */
  readonly explain?: string
}

/** The number of planning passes for fixes: one fix may make room for another. */
const PASSES = 5

/** `stagecraft lint`: checks a dbt project, fixes it with `--fix`, and reports the remaining findings. */
export async function lintCommand(paths: readonly string[], flags: LintFlags): Promise<void> {
  if (flags.explain !== undefined) {
    rulesCommand(flags.explain)
    return
  }
  assertFlags(paths, flags)
  const chosen = await chooseProject(paths, flags.projectDir)
  if (flags.fix && !flags.dryRun) finishInterrupted(chosen.root)
  const run = await openLintRun(chosen, flags)
  const known = await readKnown(chosen.root, flags)
  const texts = flags.fix
    ? await fixAll(run, { chosen, flags, known })
    : new Map<string, string | undefined>()
  const project = await run.read(texts)
  const current =
    flags.updateBaseline && known ? updateKnown(run.checkAll(project), known, chosen.root) : known
  const report = await run.check(project, current)
  if (paths.length > 0 && report.fileCount === 0)
    process.stderr.write(
      `${paint('yellow', 'warning')} there is no file to check in ${escapeForTerminal(paths.join(', '))}\n`,
    )
  await deliverReport(report, flags, {
    prefixes: chosen,
    title: project.index.settings.name,
    ...(flags.format === 'html' && { lineage: modelLineage(project) }),
  })
}

function assertFlags(paths: readonly string[], flags: LintFlags): void {
  assertReportFlags(flags)
  for (const name of ['unsafe', 'dryRun'] as const)
    if (flags[name] && !flags.fix)
      throw invalid(name === 'dryRun' ? '--dry-run' : '--unsafe', '--fix with it', 'no --fix')
  if (!flags.updateBaseline) return
  const received = [
    ...paths,
    ...(flags.changed === undefined ? [] : ['--changed']),
    ...(flags.dryRun ? ['--dry-run'] : []),
  ]
  if (received.length > 0)
    throw invalid('--update-baseline', 'a run over the whole project', received.join(' '))
}

function invalid(path: string, expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path, expected, received })
}

interface FixContext {
  readonly chosen: ChosenProject
  readonly flags: LintFlags
  readonly known: KnownFindings | undefined
}

/** A file that fixes change. */
interface Change {
  /** Undefined for no file. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Applies the fixes of the reported findings until none is left, and returns the changed texts. */
async function fixAll(run: LintRun, { chosen, flags, known }: FixContext): Promise<NewTexts> {
  const { dryRun = false, unsafe = false } = flags
  const changes = new Map<string, Change>()
  const fixed: Finding[] = []
  let refused: FixReport['refused'] = []
  for (let pass = 1; pass <= PASSES; pass += 1) {
    const project = await run.read(textsOf(changes))
    const fixes = applyFixes(project, (await run.check(project, known)).findings, { unsafe })
    refused = fixes.refused
    if (fixes.files.length === 0) break
    fixed.push(...fixes.fixed)
    for (const { after, before, path } of fixes.files)
      changes.set(path, { before: changes.has(path) ? changes.get(path)?.before : before, after })
  }
  if (dryRun) showChanges(changes, flags)
  else await writeFixes(chosen.root, changes)
  const verb = dryRun ? 'would fix' : 'fixed'
  process.stderr.write(
    `${paint('green', verb)} ${count(fixed.length, 'finding')} in ${count(changes.size, 'file')}\n`,
  )
  reportRefused(refused)
  return textsOf(changes)
}

function textsOf(changes: ReadonlyMap<string, Change>): NewTexts {
  return new Map([...changes].map(([path, { after }]) => [path, after]))
}

/** Prints the differences if nothing else is printed. */
function showChanges(
  changes: ReadonlyMap<string, Change>,
  { format, output }: Pick<LintFlags, 'format' | 'output'>,
): void {
  const stream = format === 'text' && output === undefined ? process.stdout : process.stderr
  for (const [path, change] of changes) stream.write(`${describeDifference({ path, ...change })}\n`)
}

/** Writes all changes or none. If the process dies after committing, the next run finishes the work. */
async function writeFixes(root: string, changes: ReadonlyMap<string, Change>): Promise<void> {
  for (const [path, { before }] of changes) {
    if ((await readIfThere(join(root, path))) === before) continue
    throw new StagecraftError('INVALID_REQUEST', `${path} changed while it was checked; run lint again`)
  }
  writeChanges(
    root,
    [...changes].map(([path, change]) => ({ path, ...change })),
    { undo: false },
  )
}

function reportRefused(refused: FixReport['refused']): void {
  for (const { finding, reason } of refused) {
    const place = `${finding.path}:${finding.start.line}`
    process.stderr.write(
      `${paint('yellow', 'not fixed')} ${escapeForTerminal(`${place} ${finding.rule}: ${reason}`)}\n`,
    )
  }
}
