import type { FormatName } from '@stagecraft/analysis/report'
import { type Command, Option } from 'commander'
import { shortForJson } from './options.ts'

/** Repeated here, because the package that prints them is loaded only for a check. */
const FORMAT_NAMES = [
  'text',
  'json',
  'sarif',
  'github',
  'gitlab',
  'junit',
  'html',
] as const satisfies readonly FormatName[]

/** Adds the options of all commands that report findings. */
export function reportOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <name>', 'format of the findings').choices(FORMAT_NAMES).default('text'))
    .addOption(shortForJson().implies({ format: 'json' }))
    .option('--output <file>', 'write the findings to a file (default: standard output)')
    .option('--max-warnings <number>', 'exit with 1 if there are more warnings (default: no limit)')
    .option(
      '--baseline <file>',
      'file of known findings (default: .stagecraft-baseline.json of the project, if there is one)',
    )
    .option('--no-baseline', 'report known findings too')
    .option(
      '--history <path...>',
      'with --format html: earlier JSON reports, or folders of them, for the trend',
    )
    .option('--update-baseline', 'store the current findings as known ones')
}
