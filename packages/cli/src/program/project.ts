import { type Command, Option } from 'commander'
import type { CheckFlags } from '../commands/check.ts'
import type { ApplyFlags } from '../commands/apply.ts'
import type { PlanCommandFlags } from '../commands/plan.ts'
import { CHECK_FORMATS } from '../project/check-formats.ts'
import { type ProjectFlags, projectOptions } from '../project/project-flags.ts'

/** Adds the commands that live in a dbt project. */
export function addProject(program: Command): void {
  addPlan(program)
  addApply(program)
  addCheck(program)
  addAdopt(program)
  addForget(program)
  addUndo(program)
}

function addPlan(program: Command): void {
  projectOptions(
    program.command('plan').description('show the changes to the dbt project, and write nothing'),
  )
    .option('--json', 'print the plan as JSON and nothing else')
    .option('--out <file>', 'save the plan, for stagecraft apply --plan')
    .option('--exit-code', 'exit with 1 when something would change')
    .action(async (sources: readonly string[], flags: PlanCommandFlags) => {
      const { planCommand } = await import('../commands/plan.ts')
      await planCommand(sources, flags)
    })
}

function addApply(program: Command): void {
  projectOptions(program.command('apply').description('write the changes that plan shows, all or none'))
    .option('--plan <file>', 'apply a saved plan unchanged')
    .option('--partial', 'write the files without conflicts')
    .option('--allow-dirty', 'merge into files with changes that are not committed')
    .option('--json', 'print the result as JSON and nothing else')
    .action(async (sources: readonly string[], flags: ApplyFlags) => {
      const { applyCommand } = await import('../commands/apply.ts')
      await applyCommand(sources, flags)
    })
}

function addCheck(program: Command): void {
  projectOptions(
    program.command('check').description('compare warehouse, lock and files; exit with 1 where they differ'),
  )
    .option('--offline', 'compare lock and files only, without the warehouse')
    .addOption(new Option('--format <name>', 'how to print').choices(CHECK_FORMATS).default('text'))
    .action(async (sources: readonly string[], flags: CheckFlags) => {
      const { checkCommand } = await import('../commands/check.ts')
      await checkCommand(sources, flags)
    })
}

function addAdopt(program: Command): void {
  const command = projectOptions(
    program.command('adopt').description('make hand-written models follow their tables'),
    {
      argument: ['<path...>', 'SQL files of models'],
    },
  )
  command.action(async (paths: readonly string[], flags: ProjectFlags) => {
    const { adoptCommand } = await import('../commands/adopt.ts')
    await adoptCommand(paths, flags)
  })
}

function addForget(program: Command): void {
  program
    .command('forget')
    .description('stop following tables; their files stay')
    .argument('<name...>', 'models, their files, or tables (raw.stripe.payments)')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .action(async (names: readonly string[], flags: Pick<ProjectFlags, 'projectDir'>) => {
      const { forgetCommand } = await import('../commands/adopt.ts')
      await forgetCommand(names, flags)
    })
}

function addUndo(program: Command): void {
  program
    .command('undo')
    .description('undo the last apply')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .action(async (flags: Pick<ProjectFlags, 'projectDir'>) => {
      const { undoCommand } = await import('../commands/apply.ts')
      await undoCommand(flags)
    })
}
