import { DIALECTS } from '@stagecraft/core'
import { isChange } from '@stagecraft/dbt'
import { EXIT_DIFFERENCE } from '../exit-codes.ts'
import { writeOutput } from '../files/write-beside.ts'
import { COMMON_DIALECT } from '../project/choose-dialect.ts'
import type { ProfileFlags } from '../files/index-project.ts'
import { type MadePlan, planFromCatalog, type Planning } from '../project/make-plan.ts'
import { type OpenProject, openProject } from '../project/open-project.ts'
import { planJson } from '../project/plan-json.ts'
import { printPlan } from '../project/print-plan.ts'
import { withLearned } from '../project/learn-project.ts'
import type { ProjectFlags } from '../project/project-flags.ts'
import { printSavedPlan } from '../project/saved-plan.ts'
import { printCatalogWarnings, printWarnings, reportEditing } from '../terminal/report.ts'
import { openContext } from './open-engine.ts'
import { withoutBuilt } from './without-built.ts'
import type { RowsFlags } from './observe.ts'
import { type Opened, withCatalog } from './shared-flags.ts'

export interface PlanCommandFlags extends ProjectFlags {
  readonly json?: boolean
  readonly out?: string
  readonly exitCode?: boolean
  readonly watch?: boolean
}

/** `stagecraft plan`: shows the changes without writing them. */
export async function planCommand(sources: readonly string[], flags: PlanCommandFlags): Promise<void> {
  if (flags.watch) {
    const { watchProject } = await import('./watch-project.ts')
    await watchProject(
      { ...flags },
      {
        folder: flags.projectDir,
        refused: ['json', 'out', 'exitCode'],
        work: () => planOnce(sources, flags),
      },
    )
  } else {
    await planOnce(sources, flags)
  }
}

async function planOnce(sources: readonly string[], flags: PlanCommandFlags): Promise<void> {
  const { made, project } = await makePlanFor(sources, flags)
  if (flags.json) process.stdout.write(`${JSON.stringify(planJson(made), null, 2)}\n`)
  else printPlan(made.plan)
  if (flags.out !== undefined) writeOutput('--out', flags.out, printSavedPlan(made, project.lockText))
  if (flags.exitCode && made.plan.files.some((file) => isChange(file) || file.action === 'conflict'))
    process.exitCode = EXIT_DIFFERENCE
}

export interface MakePlanOptions extends Pick<Planning, 'adopt'> {
  /** True if the plan is applied at once. @default false */
  readonly writes?: boolean
}

/** Opens catalog and project, and plans. */
export async function makePlanFor(
  sources: readonly string[],
  flags: ProjectFlags & { readonly json?: boolean },
  { adopt, writes = false }: MakePlanOptions = {},
): Promise<{ readonly made: MadePlan; readonly project: OpenProject }> {
  const start = performance.now()
  const project = await openProject(flags.projectDir, { ...flags, writes })
  const work = async (given: Opened) => {
    if (!flags.json) printCatalogWarnings(given.catalog)
    const wanted = withoutBuilt(given, project)
    const seen = await withRows(wanted, flags, project.root)
    const opened = flags.learn ? await withLearned(seen, project) : seen
    const context = await openContext(flags, opened, { project })
    const options = { ...(!flags.tests && { addTests: false }), ...(!flags.docs && { addDocs: false }) }
    const selection = { sources, all: flags.all ?? false, type: flags.type, options }
    const planning = { project, context, flags, ...(adopt && { adopt }) }
    const made = await planFromCatalog(selection, { ...opened, names: wanted.catalog }, planning)
    if (!flags.json)
      printWarnings({ models: made.plan.models, warnings: [...made.warnings, ...made.plan.warnings] })
    reportEditing(made.reports, { milliseconds: performance.now() - start })
    return { made, project }
  }
  return withCatalog(flags, work, { project })
}

/**
 * Returns the catalog with evidence from rows in its tables, if requested.
 *
 * @param folder A folder of the dbt project whose joins count as evidence.
 */
export async function withRows(
  opened: Opened,
  { profile, profileFrom, ...flags }: RowsFlags & ProfileFlags,
  folder = '.',
): Promise<Opened> {
  if (!profile && profileFrom === undefined) return opened
  const { readBudget, withAnswers, withObservations } = await import('./observe.ts')
  const { joinsAround } = await import('../project/project-joins.ts')
  const dialect = DIALECTS[opened.dialect ?? COMMON_DIALECT]
  const joins = joinsAround(folder, dialect, flags)
  if (profileFrom === undefined)
    return { ...opened, catalog: await withObservations(opened, { ...readBudget(flags), joins }) }
  return withAnswers(opened, profileFrom, { dialect, joins })
}
