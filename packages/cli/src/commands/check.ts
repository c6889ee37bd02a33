import { basename } from 'node:path'
import type { ChosenRule } from '@stagecraft/analysis/report'
import { isChange, type PlannedFile, type ProjectPlan } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import type { BackendFlags } from '../backend/choose-backend.ts'
import { prefixesOf } from '../files/choose-project.ts'
import { reportOf } from '../project/findings.ts'
import { type MadePlan, type PlanFlags, planFromLock } from '../project/make-plan.ts'
import { assertFollowed, type OpenProject, openProject } from '../project/open-project.ts'
import type { ProjectFlags } from '../project/project-flags.ts'
import {
  assertReportFlags,
  deliverReport,
  readKnown,
  type ReportFlags,
  updateKnown,
  withoutKnown,
} from '../project/report-findings.ts'
import { openOffline } from './open-engine.ts'

export interface CheckFlags extends Omit<ProjectFlags, keyof PlanFlags | keyof BackendFlags>, ReportFlags {
  readonly offline?: boolean
}

interface Made {
  readonly made: MadePlan
  readonly project: OpenProject
}

/** `stagecraft check`: compares warehouse, lock and files, and fails if they differ. It asks no language model. */
export async function checkCommand(sources: readonly string[], flags: CheckFlags): Promise<void> {
  assertReportFlags(flags)
  if (flags.updateBaseline && sources.length > 0)
    throw StagecraftError.invalid({
      path: '--update-baseline',
      expected: 'a run over all tables',
      received: sources.join(' '),
    })
  const quiet = { ...flags, backend: false, prune: true, keepsExcluded: true, json: true } as const
  const planWith = (flags: CheckFlags & PlanFlags): Promise<Made> =>
    flags.offline ? planOffline(flags) : planOnline(sources, flags)
  const {
    made: { plan },
    project: { lock, root },
  } = await planWith(quiet)
  const unpruned = mayPrune(plan) ? await planWith({ ...quiet, prune: false, isAgain: true }) : undefined
  const report = reportOf(plan, {
    offline: flags.offline ?? false,
    unpruned: unpruned?.made.plan ?? plan,
    lock,
  })
  const known = await readKnown(root, flags)
  const current = flags.updateBaseline && known ? updateKnown(report, known, root) : known
  const stale = current?.baseline && sources.length === 0 ? await staleRule() : undefined
  await deliverReport(withoutKnown(report, current, { stale }), flags, {
    prefixes: prefixesOf(root),
    title: basename(root),
  })
}

/** Returns true if pruning may affect a plan. Files that are only brought up to date do not need it. */
function mayPrune({ files, tables }: ProjectPlan): boolean {
  const isLess = tables.some(
    ({ drifts, state }) => state === 'gone' || drifts.some(({ kind }) => kind === 'removed'),
  )
  return isLess || files.some((file) => file.action === 'conflict' || (isChange(file) && !isRefreshed(file)))
}

/** Returns true for a file that exists before and after. */
function isRefreshed({ after, before }: PlannedFile): boolean {
  return after !== undefined && before !== undefined
}

/**
 * The rule about known findings that no longer occur. It is loaded only if there are any, because the rules are many.
 */
async function staleRule(): Promise<ChosenRule | undefined> {
  const { findRule } = await import('@stagecraft/analysis')
  const rule = findRule('unused-suppression')
  return rule && { rule, severity: rule.severity }
}

/** Catalogs and all that reads them are loaded only here. */
async function planOnline(sources: readonly string[], flags: CheckFlags & PlanFlags): Promise<Made> {
  const { makePlanFor } = await import('./plan.ts')
  return makePlanFor(sources, flags)
}

/** Plans from the tables of the lock to find edited files and files that would be generated differently now. */
async function planOffline(flags: CheckFlags & PlanFlags): Promise<Made> {
  const project = await openProject(flags.projectDir, flags)
  assertFollowed(project, '--project-dir')
  return { project, made: await planFromLock({ project, context: await openOffline(flags, project), flags }) }
}
