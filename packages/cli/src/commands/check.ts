import { StagecraftError } from '@stagecraft/spec'
import { EXIT_DIFFERENCE } from '../exit-codes.ts'
import { loadConfig } from '../files/load-config.ts'
import { findingsOf } from '../project/findings.ts'
import { type MadePlan, planFromLock } from '../project/make-plan.ts'
import { knownProject, openProject } from '../project/open-project.ts'
import type { CheckFormat } from '../project/check-formats.ts'
import { fails, PRINTERS } from '../project/print-findings.ts'
import type { ProjectFlags } from '../project/project-flags.ts'
import { openContext } from './open-engine.ts'
import { makePlanFor } from './plan.ts'

export interface CheckFlags extends ProjectFlags {
  readonly offline?: boolean
  readonly format: CheckFormat
}

/** `stagecraft check`: compares warehouse, lock and files, and fails where they differ. */
export async function checkCommand(sources: readonly string[], flags: CheckFlags): Promise<void> {
  const quiet = { ...flags, prune: true, json: true }
  const { plan } = flags.offline ? await planOffline(quiet) : (await makePlanFor(sources, quiet)).made
  const findings = findingsOf(plan)
  process.stdout.write(PRINTERS[flags.format](findings))
  if (findings.some(fails)) process.exitCode = EXIT_DIFFERENCE
}

/** Plans from the tables of the lock: what a person edited, and what is generated otherwise by now. */
async function planOffline(flags: CheckFlags): Promise<MadePlan> {
  const project = await openProject(flags.projectDir)
  if (project.lock.size === 0) throw nothingFollowed(project.root)
  const { config, folder } = await loadConfig(flags.config)
  const defaults = { addTests: true, addDocs: true }
  const context = await openContext(
    { ...flags, backend: false },
    { config, configFolder: folder },
    { folder: project.root, defaults, known: await knownProject(project) },
  )
  const dialect = context.dialect ?? [...project.lock.values()][0]?.dialect ?? 'duckdb'
  return planFromLock({ project, context, flags, dialect })
}

/** Without a lock there is nothing to compare, which a pipeline must not take for a success. */
function nothingFollowed(folder: string): StagecraftError {
  return StagecraftError.invalid(
    {
      path: '--project-dir',
      expected: 'a project with a stagecraft.lock that follows tables',
      received: `${folder}, which has none`,
    },
    { suggestion: 'stagecraft apply writes it; in CI, check out the branch that has it' },
  )
}
