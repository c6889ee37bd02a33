import type { Command } from 'commander'
import type { LintFlags } from '../commands/lint.ts'
import { readingOptions } from './options.ts'
import { reportOptions } from './report-options.ts'

const LINT_NOTES = `
Reads the files of the project. Does not run dbt, and connects to a warehouse only with --catalog. Exits with 1 if there
are errors, or more warnings than --max-warnings allows.

Start a project with many findings with --update-baseline: it stores the current findings as known, and only new ones
are reported.

Suppress a finding in the code, with a reason: -- stagecraft: ignore SC203 one order per row in both
docs/how-to/lint-a-project.md has the details.`

/** `stagecraft lint` and `stagecraft rules`. */
export function addLint(program: Command): void {
  readingOptions(
    reportOptions(program.command('lint').description('check a dbt project against rules, and fix findings')),
  )
    .argument('[path...]', 'files and folders to report on (default: the project around the current folder)')
    .option('--fix', 'apply the fixes that cannot change what dbt builds')
    .option('--unsafe', 'with --fix: also those that a person must review')
    .option('--dry-run', 'with --fix: show the changes, and write nothing')
    .option(
      '--changed [ref]',
      'report only files changed since a branch or commit (default: since the last commit)',
    )
    .option('--select <rule...>', 'check only these rules, by id, name or group: SC203, SC2, graph')
    .option('--ignore <rule...>', 'skip these rules')
    .option('--explain <rule>', 'explain a rule, as stagecraft rules does, and check nothing')
    .addHelpText('after', LINT_NOTES)
    .action(async (paths: readonly string[], flags: LintFlags) => {
      const { lintCommand } = await import('../commands/lint.ts')
      await lintCommand(paths, flags)
    })
  program
    .command('rules')
    .description('list the rules of lint, or explain one')
    .argument('[rule]', 'id, name, group or a part of one: SC203, SC2, source (default: lists all rules)')
    .action(async (rule: string | undefined) => {
      const { rulesCommand } = await import('../commands/rules.ts')
      rulesCommand(rule)
    })
}
