import { DIALECT_NAMES } from '@stagecraft/spec/names'
import { type Command, Option } from 'commander'
import type { LintFlags } from '../commands/lint.ts'

const LINT_NOTES = `
Reads the project and runs nothing of it: no warehouse, no dbt. Exits with 1 when there are errors, or more warnings
than --max-warnings allows.

Suppress a finding where it stands, with a reason: -- stagecraft: ignore SC203 one order per row in both
docs/how-to/lint-a-project.md has the details.`

/** `stagecraft lint` and `stagecraft rules`. */
export function addLint(program: Command): void {
  program
    .command('lint')
    .description('check a dbt project by rules, and mend what they find')
    .argument('[path...]', 'files and folders to report on (default: the project around the current folder)')
    .option('--fix', 'apply the fixes that cannot change what dbt builds')
    .option('--unsafe', 'with --fix: also those that a person has to look at')
    .option('--select <rule...>', 'check only these rules, by id, name or group: SC203, SC2, graph')
    .option('--ignore <rule...>', 'leave these rules out')
    .addOption(
      new Option('--format <name>', 'how the findings are written')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .option('--output <file>', 'write the findings to a file (default: standard output)')
    .option(
      '--max-warnings <number>',
      'exit with 1 when there are more warnings (default: any number is allowed)',
    )
    .addOption(new Option('--dialect <name>', 'how the SQL is spelled').choices(DIALECT_NAMES))
    .option('--config <file>', 'configuration file (default: stagecraft.yml, if there is one)')
    .addHelpText('after', LINT_NOTES)
    .action(async (paths: readonly string[], flags: LintFlags) => {
      const { lintCommand } = await import('../commands/lint.ts')
      await lintCommand(paths, flags)
    })
  program
    .command('rules')
    .description('list the rules of lint, or explain one')
    .argument('[rule]', 'id or name: SC203 (default: lists all rules)')
    .action(async (rule: string | undefined) => {
      const { rulesCommand } = await import('../commands/rules.ts')
      rulesCommand(rule)
    })
}
