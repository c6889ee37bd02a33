import { type Command, Option } from 'commander'
import type { AdoptFlags } from '../commands/adopt.ts'
import type { CheckFlags } from '../commands/check.ts'
import type { ExplainFlags } from '../commands/explain-table.ts'
import type { ApplyFlags } from '../commands/apply.ts'
import type { InitFlags } from '../commands/init.ts'
import type { LearnFlags } from '../commands/learn.ts'
import type { PlanCommandFlags } from '../commands/plan.ts'
import {
  backendOptions,
  catalogOptions,
  dialectOption,
  FOLLOWED_SOURCES,
  modelOptions,
  projectDirOption,
  rowsOptions,
} from './options.ts'
import type { ProjectFlags } from '../project/project-flags.ts'
import { reportOptions } from './report-options.ts'

/** Adds the commands that work in a dbt project. */
export function addProject(program: Command): void {
  addPlan(program)
  addApply(program)
  addExplain(program)
  addCheck(program)
  addAdopt(program)
  addInit(program)
  addLearn(program)
  addForget(program)
  addUndo(program)
}

/** Adds the options of commands that plan for followed tables. */
function planOptions(command: Command): Command {
  return rowsOptions(modelOptions(command))
    .option('--all', 'all tables of the catalog')
    .addOption(projectDirOption())
}

/** Adds the options of commands that change files. */
function changeOptions(command: Command): Command {
  return backendOptions(planOptions(command))
    .option('--prune', 'remove columns, entries and files that were deleted from the warehouse')
    .addOption(
      new Option(
        '--conflict <how>',
        'resolve conflicts with git markers, your text, or the generated one',
      ).choices(['markers', 'ours', 'theirs']),
    )
}

function addPlan(program: Command): void {
  changeOptions(program.command('plan').description('show the changes to the dbt project, and write nothing'))
    .argument(...FOLLOWED_SOURCES)
    .option('--json', 'print the plan as JSON and nothing else')
    .option('--out <file>', 'save the plan, for stagecraft apply --plan')
    .option('--exit-code', 'exit with 1 when something would change')
    .option(
      '--watch',
      'show the changes again at every save of configuration, templates or files of the project',
    )
    .action(async (sources: readonly string[], flags: PlanCommandFlags) => {
      const { planCommand } = await import('../commands/plan.ts')
      await planCommand(sources, flags)
    })
}

function addApply(program: Command): void {
  const [argument, described] = FOLLOWED_SOURCES
  changeOptions(program.command('apply').description('write the changes shown by plan, all or none'))
    .argument(argument, described.replace(' or whole schemas', ', whole schemas, or proposals, prop_…'))
    .option('--plan <file>', 'apply a saved plan unchanged')
    .option('--partial', 'write the files without conflicts')
    .option('--allow-dirty', 'merge into files with uncommitted changes')
    .option('--json', 'print the result as JSON and nothing else')
    .action(async (sources: readonly string[], flags: ApplyFlags) => {
      const { applyCommand } = await import('../commands/apply.ts')
      await applyCommand(sources, flags)
    })
}

const EXPLAIN_NOTES = `
Examples:
  $ stagecraft explain stg_stripe__payments
  $ stagecraft explain stg_stripe__payments.payment_id
  $ stagecraft explain raw.stripe.payments --catalog postgres://me@localhost/raw
  $ stagecraft explain stripe --offline
  $ stagecraft explain KEYS_NOT_TESTED

Shows for each name, value, group, test and description the rule, its evidence, and the keys of stagecraft.yml
that change it. Nothing is written, and no language model is asked.`

function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .description('explain a model, a column, a source, or a code')
    .argument('[what]', 'model, model.column, source, or the code of a warning (default: lists all codes)')
  rowsOptions(modelOptions(command), 'read the rows, as evidence for keys and references')
    .addOption(projectDirOption())
    .option('--offline', 'explain from stagecraft.lock, without the warehouse')
    .option('--json', 'print the explanation as JSON and nothing else')
    .addHelpText('after', EXPLAIN_NOTES)
    .action(async (what: string | undefined, flags: ExplainFlags) => {
      const { explainCommand } = await import('../commands/explain.ts')
      await explainCommand(what, flags)
    })
}

function addCheck(program: Command): void {
  const command = planOptions(
    program.command('check').description('compare warehouse, lock and files; exit with 1 if they differ'),
  )
    .argument(...FOLLOWED_SOURCES)
    .option('--offline', 'compare lock and files only, without the warehouse')
  reportOptions(command).action(async (sources: readonly string[], flags: CheckFlags) => {
    const { checkCommand } = await import('../commands/check.ts')
    await checkCommand(sources, flags)
  })
}

function addAdopt(program: Command): void {
  backendOptions(
    modelOptions(program.command('adopt').description('make hand-written models follow their tables')),
  )
    .argument('<path...>', 'SQL files of models')
    .addOption(projectDirOption())
    .action(async (paths: readonly string[], flags: AdoptFlags) => {
      const { adoptCommand } = await import('../commands/adopt.ts')
      await adoptCommand(paths, flags)
    })
}

const INIT_NOTES = `
Reads the dbt project, and the warehouse of its profile or of --catalog; without a warehouse, the sources in the project.
Without --yes nothing is written. An existing stagecraft.yml is not changed.`

function addInit(program: Command): void {
  catalogOptions(
    program
      .command('init')
      .description('propose a stagecraft.yml for a dbt project, and write it with --yes'),
  )
    .option('--yes', 'write the proposal')
    .addOption(projectDirOption())
    .addOption(dialectOption('SQL dialect of the warehouse'))
    .addHelpText('after', INIT_NOTES)
    .action(async (flags: InitFlags) => {
      const { initCommand } = await import('../commands/init.ts')
      await initCommand(flags)
    })
}

function addLearn(program: Command): void {
  catalogOptions(
    program.command('learn').description('learn how a dbt project names and writes its staging models'),
  )
    .option('--from <path...>', 'folders or models to learn from (default: all staging models)')
    .addOption(projectDirOption())
    .addOption(dialectOption('SQL of the models'))
    .option('--write', 'add the new rules to stagecraft.yml')
    .option('--json', 'print the rules as JSON and nothing else')
    .action(async (flags: LearnFlags) => {
      const { learnCommand } = await import('../commands/learn.ts')
      await learnCommand(flags)
    })
}

function addForget(program: Command): void {
  program
    .command('forget')
    .description('stop following tables; their files stay')
    .argument('<name...>', 'models, their files, tables (raw.stripe.payments), or schemas (raw.stripe.*)')
    .addOption(projectDirOption())
    .action(async (names: readonly string[], flags: Pick<ProjectFlags, 'projectDir'>) => {
      const { forgetCommand } = await import('../commands/adopt.ts')
      await forgetCommand(names, flags)
    })
}

function addUndo(program: Command): void {
  program
    .command('undo')
    .description('undo the last apply, adopt or forget')
    .addOption(projectDirOption())
    .action(async (flags: Pick<ProjectFlags, 'projectDir'>) => {
      const { undoCommand } = await import('../commands/apply.ts')
      await undoCommand(flags)
    })
}
