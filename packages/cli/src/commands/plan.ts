import { writeFileSync } from 'node:fs'
import { EXIT_DIFFERENCE } from '../exit-codes.ts'
import { fileFault } from '../files/file-fault.ts'
import { type MadePlan, planFromCatalog } from '../project/make-plan.ts'
import { knownProject, type OpenProject, openProject } from '../project/open-project.ts'
import { planJson } from '../project/plan-json.ts'
import { isChange, printPlan } from '../project/print-plan.ts'
import type { ProjectFlags } from '../project/project-flags.ts'
import { printSavedPlan } from '../project/saved-plan.ts'
import { printCatalogWarnings, printWarnings, reportEditing } from '../terminal/report.ts'
import { openContext } from './open-engine.ts'
import { type Opened, withCatalog } from './shared-flags.ts'

export interface PlanCommandFlags extends ProjectFlags {
  readonly json?: boolean
  readonly out?: string
  readonly exitCode?: boolean
}

/** On a terminal everything that is known is generated; the flags take away. */
const DEFAULTS = { addTests: true, addDocs: true }

/** `stagecraft plan`: shows what would change, and writes nothing. */
export async function planCommand(sources: readonly string[], flags: PlanCommandFlags): Promise<void> {
  const { made, project } = await makePlanFor(sources, flags)
  if (flags.json) process.stdout.write(`${JSON.stringify(planJson(made), null, 2)}\n`)
  else printPlan(made.plan)
  if (flags.out !== undefined) save(flags.out, printSavedPlan(made.plan, project.lockText))
  if (flags.exitCode && made.plan.files.some((file) => isChange(file) || file.action === 'conflict'))
    process.exitCode = EXIT_DIFFERENCE
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw fileFault(error, file)
  }
}

/** Opens catalog and project, and plans. */
export async function makePlanFor(
  sources: readonly string[],
  flags: ProjectFlags & { readonly json?: boolean },
  adopt?: ReadonlySet<string>,
): Promise<{ readonly made: MadePlan; readonly project: OpenProject }> {
  const start = performance.now()
  const project = await openProject(flags.projectDir)
  return withCatalog({ ...flags, out: flags.projectDir }, async (given) => {
    if (!flags.json) printCatalogWarnings(given.catalog)
    const opened = flags.profile ? await withRows(given) : given
    const context = await openContext(flags, opened, {
      folder: project.root,
      defaults: DEFAULTS,
      known: await knownProject(project),
    })
    const options = { ...(!flags.tests && { addTests: false }), ...(!flags.docs && { addDocs: false }) }
    const selection = { sources, all: flags.all ?? false, type: flags.type, options }
    const planning = { project, context, flags, ...(adopt && { adopt }) }
    const made = await planFromCatalog(selection, opened, planning)
    if (!flags.json)
      printWarnings({ models: made.plan.models, warnings: [...made.warnings, ...made.plan.warnings] })
    reportEditing(made.reports, { milliseconds: performance.now() - start })
    return { made, project }
  })
}

/** Opens the same catalog so that its tables tell what their rows keep. */
export async function withRows(opened: Opened): Promise<Opened> {
  const { withObservations } = await import('./observe.ts')
  return { ...opened, catalog: withObservations(opened) }
}
