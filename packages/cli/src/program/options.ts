import { BACKEND_NAMES, DIALECT_NAMES, MODEL_TYPES, PRESET_NAMES } from '@stagecraft/spec/names'
import { existsSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec/errors'
import { type Command, Option } from 'commander'

/** The argument of commands that read every table by default. */
export const EVERY_SOURCE = [
  '[source...]',
  'source names (stripe.payments) or whole schemas (stripe.*); default: every table',
] as const

/** The argument of commands that follow tables. */
export const FOLLOWED_SOURCES = [
  '[source...]',
  'source names or whole schemas (default: the tables in stagecraft.lock and the schemas in stagecraft.yml)',
] as const

export function catalogOptions(command: Command): Command {
  return configOption(
    command
      .option(
        '--catalog <string>',
        'source of columns (default: catalog in stagecraft.yml, or the profile of the dbt project)',
        onlyOnce,
      )
      .option('--target <name>', 'connect as dbt does, to this target of its profile')
      .option('--dbt-profile <name>', 'connect as dbt does, with this profile')
      .option('--profiles-dir <dir>', 'folder with the profiles.yml of dbt'),
  )
}

/** @throws {StagecraftError} INVALID_REQUEST for a second catalog, which would silently replace the first. */
function onlyOnce(text: string, before: string | undefined): string {
  if (before === undefined) return text
  throw StagecraftError.invalid(
    { path: '--catalog', expected: 'one catalog', received: 'two' },
    {
      suggestion: `for several results, name their folder, or a pattern in quotes: --catalog 'results/*.csv'`,
    },
  )
}

const RESULT = /\.(?:csv|tsv|json|jsonl|ndjson)$/i

/**
 * Refuses the files that a shell puts in place of an unquoted pattern: `--catalog results/*.csv`. The second and later
 * ones would be names of sources.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the quotes.
 */
export function assertQuotedPattern(command: Command): void {
  const { catalog } = command.opts()
  const file = command.args.find((name) => RESULT.test(name) && existsSync(name))
  if (typeof catalog !== 'string' || !RESULT.test(catalog) || file === undefined) return
  throw StagecraftError.invalid(
    {
      path: '--catalog',
      expected: 'one file, a folder, or a pattern in quotes',
      received: `${file} after ${catalog}`,
    },
    {
      suggestion: `write --catalog '${join(dirname(catalog), `*${extname(catalog)}`)}', so that the shell keeps the pattern`,
    },
  )
}

/** Adds the options of commands that read a project, and its raw tables only if asked to. */
export function readingOptions(command: Command): Command {
  return sqlOptions(
    command.option(
      '--catalog [catalog]',
      'read raw tables from a catalog (default: that of the configuration or of the dbt profile; without the option, the tables of stagecraft.lock)',
    ),
  )
}

/** Adds the options of commands that read the SQL of a project. */
export function sqlOptions(command: Command): Command {
  return configOption(command.option(...PROJECT_DIR).addOption(dialectOption('dialect of the SQL')))
}

export function configOption(command: Command): Command {
  return command.option('--config <file>', 'configuration file (default: stagecraft.yml, if there is one)')
}

export function dialectOption(description: string): Option {
  return new Option('--dialect <name>', description).choices(DIALECT_NAMES)
}

/** The folder of the project for commands that look around the current one by default. */
export const PROJECT_DIR = [
  '--project-dir <dir>',
  'folder of the dbt project, or one inside it (default: the current one)',
] as const

/** The same with a value that the command gets. */
export function projectDirOption(): Option {
  return new Option('--project-dir <dir>', 'folder of the dbt project, or one inside it').default(
    '.',
    'the current one',
  )
}

export function backendOptions(command: Command): Command {
  return command
    .addOption(new Option('--backend <name>', 'also ask a language model').choices(BACKEND_NAMES))
    .option('--no-backend', 'use the rules alone, even if stagecraft.yml names a backend')
    .option('--model <name>', "the provider's name for the model")
    .option('--base-url <url>', "address of the backend's API")
    .addOption(
      new Option(
        '--on-failure <what>',
        'behavior if the backend gives no usable answer (default: fallback)',
      ).choices(['fallback', 'error']),
    )
    .option('--redact-names', 'send types to the backend, but no names')
    .option('--refresh', 'ask the backend again instead of using cached answers')
}

/** Adds the options for the form of the SQL and YAML. */
export function outputOptions(command: Command): Command {
  return command
    .addOption(dialectOption('SQL dialect to write'))
    .option('--schema <name>', 'schema of tables that the catalog names without one')
    .option('--dbt-version <version>', 'oldest dbt version that must accept the YAML: 1.7, 1.8, 1.9, 2')
    .addOption(new Option('--preset <name>', 'preset of defaults').choices(PRESET_NAMES))
}

/** Adds the options for the models: their type, their parts, and the conventions that they follow. */
export function modelOptions(command: Command): Command {
  return outputOptions(catalogOptions(command))
    .addOption(new Option('--type <type>', 'type of model').choices(MODEL_TYPES).default('staging'))
    .option('--no-tests', 'omit data tests')
    .option('--no-docs', 'omit descriptions')
    .option('--learn', 'follow the conventions of existing staging models')
}

/** Adds the options for evidence from rows. */
export function rowsOptions(
  command: Command,
  purpose = 'read the rows, and test the keys, references and value lists in them',
): Command {
  return budgetOptions(command.option('--profile', purpose)).option(
    '--profile-from <path>',
    'use answers to the statements of profile --print-sql in place of the rows',
  )
}

/** Adds the options that limit how much is read. */
export function budgetOptions(command: Command): Command {
  return command
    .option('--max-rows <n>', 'skip tables with more rows (default: read every table)')
    .option('--max-bytes <size>', 'skip tables that take more space: 20GB')
    .option('--fresh', 'read every table again, even if its rows did not change')
}

/** Creates the option for programs that read the result. */
export function shortForJson(): Option {
  return new Option('--json', 'short for --format json')
}
