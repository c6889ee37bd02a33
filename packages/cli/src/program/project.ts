import { type Command, Option } from 'commander'
import type { CheckFlags } from '../commands/check.ts'
import type { ExplainFlags } from '../commands/explain-table.ts'
import type { ApplyFlags } from '../commands/apply.ts'
import type { InitFlags } from '../commands/init.ts'
import type { LearnFlags } from '../commands/learn.ts'
import type { PlanCommandFlags } from '../commands/plan.ts'
import { DIALECT_NAMES, MODEL_TYPES } from '@stagecraft/spec/names'
import { catalogOptions, outputOptions } from './options.ts'
import { type ProjectFlags, projectOptions } from '../project/project-flags.ts'
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

function addPlan(program: Command): void {
  projectOptions(
    program.command('plan').description('show the changes to the dbt project, and write nothing'),
  )
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
  projectOptions(program.command('apply').description('write the changes shown by plan, all or none'), {
    argument: [
      '[source...]',
      'source names, whole schemas, or proposals, prop_… (default: the tables in stagecraft.lock and the schemas in stagecraft.yml)',
    ],
  })
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
  outputOptions(catalogOptions(command))
    .addOption(new Option('--type <type>', 'type of model').choices(MODEL_TYPES).default('staging'))
    .option('--no-tests', 'omit data tests')
    .option('--no-docs', 'omit descriptions')
    .option('--profile', 'read the rows, as evidence for keys and references')
    .option('--learn', 'follow the conventions of existing staging models')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .option('--offline', 'explain from stagecraft.lock, without the warehouse')
    .option('--json', 'print the explanation as JSON and nothing else')
    .addHelpText('after', EXPLAIN_NOTES)
    .action(async (what: string | undefined, flags: ExplainFlags) => {
      const { explainCommand } = await import('../commands/explain.ts')
      await explainCommand(what, flags)
    })
}

function addCheck(program: Command): void {
  const command = projectOptions(
    program.command('check').description('compare warehouse, lock and files; exit with 1 if they differ'),
  ).option('--offline', 'compare lock and files only, without the warehouse')
  reportOptions(command)
  command.action(async (sources: readonly string[], flags: CheckFlags) => {
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

const INIT_NOTES = `
Reads the dbt project, and the warehouse of its profile or of --catalog; without one, the sources that the project declares.
Without --yes nothing is written. An existing stagecraft.yml is not changed.`

function addInit(program: Command): void {
  catalogOptions(
    program
      .command('init')
      .description('propose a stagecraft.yml for a dbt project, and write it with --yes'),
  )
    .option('--yes', 'write the proposal')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .addOption(new Option('--dialect <name>', 'SQL dialect of the warehouse').choices(DIALECT_NAMES))
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
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .addOption(new Option('--dialect <name>', 'SQL of the models').choices(DIALECT_NAMES))
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
    .description('undo the last apply, adopt or forget')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .action(async (flags: Pick<ProjectFlags, 'projectDir'>) => {
      const { undoCommand } = await import('../commands/apply.ts')
      await undoCommand(flags)
    })
}
