import { DIALECT_NAMES, MODEL_KINDS } from '@stagecraft/spec/names'
import { StagecraftError } from '@stagecraft/spec/errors'
import { Command, type CommanderError, Option } from 'commander'
import type { GenerateFlags } from './commands/generate.ts'
import type { ProfileFlags, SuggestFlags } from './commands/profile.ts'
import type { CatalogFlags } from './commands/shared-flags.ts'
import { readVersion } from './read-version.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { backendOptions, catalogOptions, outputOptions } from './program/options.ts'
import { addLint } from './program/lint.ts'
import { addProject } from './program/project.ts'
import { addServe } from './program/serve.ts'
import { addDatabase, addKeys } from './program/store.ts'

const EXAMPLES = `
Examples:
  $ stagecraft tables --catalog duckdb:raw.duckdb
  $ stagecraft generate stripe.payments --catalog postgres://me@localhost/raw
  $ stagecraft generate 'stripe.*' --catalog duckdb:raw.duckdb --out my_dbt_project
  $ stagecraft generate --all --catalog dbt:target/ --dialect snowflake --json
  $ stagecraft generate raw.stripe.payments --catalog columns.yml --dialect bigquery
  $ stagecraft generate 'stripe.*' --catalog columns.yml --backend anthropic
  $ stagecraft generate stripe.payments --server http://127.0.0.1:8080
  $ stagecraft plan 'stripe.*' --catalog duckdb:raw.duckdb
  $ stagecraft apply
  $ stagecraft check --offline
  $ stagecraft lint --fix
  $ stagecraft serve
  $ stagecraft serve --catalog postgres://me@localhost/raw --port 8080

Catalogs:
  duckdb:path.duckdb, duckdb:folder/   a database file; a folder of parquet and csv files
  postgres://…, mysql://…, sqlite:path a database
  columns.yml, .json, .csv             a list of columns (docs/reference/columns-file.md)
  schema.sql, ddl:folder/              CREATE TABLE statements
  dbt:target/                          manifest.json and catalog.json of a dbt project

Exit codes: 0 done, 1 a difference or a finding, 2 invalid request, 3 no such source,
4 no connection, 5 generation failed, 70 a fault of stagecraft, 130 stopped.`

/** The command line. What a command needs is loaded when it runs, so that help is instant. */
export function createProgram(): Command {
  const program = new Command('stagecraft')
    .description('Turns raw tables into dbt staging code that dbt builds and analysts keep.')
    .version(readVersion(), '--version')
    .addHelpText('after', EXAMPLES)
    .configureOutput({ outputError: () => undefined })
  addGenerate(program)
  addProject(program)
  addLint(program)
  addTables(program)
  addProfile(program)
  addConfig(program)
  addGolden(program)
  addExplain(program)
  addServe(program)
  addKeys(program)
  addDatabase(program)
  addDemo(program)
  for (const command of [program, ...allCommands(program)])
    command.exitOverride((error) => raise(error, command))
  return program
}

/** Help and version have been printed and are done; all else is a fault in the arguments. */
function raise({ code, exitCode, message }: CommanderError, command: Command): never {
  if (exitCode === 0) process.exit()
  // Without any command, commander has printed the help.
  if (code === 'commander.help') process.exit(EXIT_CODES.INVALID_REQUEST)
  const text = suggestLonger(message.replace(/^error: /, '').replace(/\.$/, ''), command).replace('\n', ' ')
  throw new StagecraftError('INVALID_REQUEST', text, {
    details: { suggestion: 'stagecraft --help shows commands and options' },
  })
}

/** Suggests a name that begins with the typed text before one that is merely similar. */
function suggestLonger(message: string, { commands, options }: Command): string {
  const [, kind, typed = ''] = /^unknown (command|option) '([^']+)'/.exec(message) ?? []
  if (kind === undefined) return message
  const names =
    kind === 'command' ? commands.map((command) => command.name()) : options.flatMap(({ long }) => long ?? [])
  const longer = names.filter((name) => name.startsWith(typed))
  if (longer.length === 0) return message
  return `unknown ${kind} '${typed}' (Did you mean ${longer.slice(0, 3).join(' or ')}?)`
}

function allCommands(program: Command): readonly Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)])
}

function addGenerate(program: Command): void {
  const command = program.command('generate').description('generate models, sources, tests and docs')
  outputOptions(backendOptions(catalogOptions(command)))
    .argument('[source...]', 'source names (raw.stripe.payments) or whole schemas (stripe.*)')
    .option('--all', 'generate every table of the catalog')
    .addOption(new Option('--type <kind>', 'kind of model').choices(MODEL_KINDS).default('staging'))
    .option('--out <dir>', 'write the files into a dbt project there, instead of printing them')
    .option('--force', 'replace files that stagecraft wrote and nobody has changed since')
    .option('--profile', 'read the rows: keys and references that the data keep are tested')
    .option('--no-tests', 'leave data tests out')
    .option('--no-docs', 'leave descriptions out')
    .option('--show-prompt', 'print the prompt for the backend without sending it')
    .option('--json', 'print the answer as JSON and nothing else')
    .option('--server <url>', 'generate on a service (stagecraft serve), with the key in STAGECRAFT_API_KEY')
    .action(async (sources: readonly string[], flags: GenerateFlags & { readonly server?: string }) => {
      const { server } = flags
      if (server === undefined) {
        const { generateCommand } = await import('./commands/generate.ts')
        await generateCommand(sources, flags)
      } else {
        const { generateOnServerCommand } = await import('./commands/generate-on-server.ts')
        await generateOnServerCommand(sources, { ...flags, server })
      }
    })
}

function addTables(program: Command): void {
  catalogOptions(program.command('tables').description('list the tables of a catalog'))
    .argument('[schema...]', 'schemas to list: stripe, raw.stripe')
    .addOption(new Option('--dialect <name>', 'dialect in which names are read').choices(DIALECT_NAMES))
    .option('--json', 'print the tables with all known details as JSON')
    .action(async (schemas: readonly string[], flags: CatalogFlags & { readonly json?: boolean }) => {
      const { tablesCommand } = await import('./commands/tables.ts')
      await tablesCommand(schemas, flags)
    })
}

function addProfile(program: Command): void {
  const dialect = (): Option => new Option('--dialect <name>', 'how names are read').choices(DIALECT_NAMES)
  catalogOptions(program.command('profile').description('look at the rows of tables: counts, bounds, keys'))
    .argument(
      '[source...]',
      'source names (stripe.payments) or whole schemas (stripe.*); default: every table',
    )
    .addOption(dialect())
    .option('--json', 'print tables and profiles as JSON')
    .action(async (sources: readonly string[], flags: ProfileFlags) => {
      const { profileCommand } = await import('./commands/profile.ts')
      await profileCommand(sources, flags)
    })
  catalogOptions(program.command('suggest').description('propose keys and references that nobody declared'))
    .argument(
      '[source...]',
      'source names (stripe.payments) or whole schemas (stripe.*); default: every table',
    )
    .addOption(dialect())
    .option('--profile', 'check what names say against the rows')
    .option('--json', 'print the proposals as JSON')
    .action(async (sources: readonly string[], flags: SuggestFlags) => {
      const { suggestCommand } = await import('./commands/profile.ts')
      await suggestCommand(sources, flags)
    })
}

function addConfig(program: Command): void {
  program
    .command('config')
    .description('show the configuration')
    .option('--print', 'print the configuration with all defaults filled in (the default)')
    .option('--config <file>', 'configuration file (default: stagecraft.yml, if there is one)')
    .action(async (flags: { readonly config?: string }) => {
      const { configCommand } = await import('./commands/config.ts')
      await configCommand(flags)
    })
}

function addGolden(program: Command): void {
  program
    .command('golden')
    .description('generate recorded cases again and show the differences')
    .argument('<folder>', 'folder with cases: input.json beside expected/ or error.json')
    .option('--update', 'record the new output')
    .action(async (folder: string, flags: { readonly update?: boolean }) => {
      const { goldenCommand } = await import('./commands/golden.ts')
      await goldenCommand(folder, flags)
    })
}

function addExplain(program: Command): void {
  program
    .command('explain')
    .description('explain the code of a warning or an error')
    .argument('[code]', 'as printed: KEYS_NOT_TESTED (default: lists all codes)')
    .action(async (code: string | undefined) => {
      const { explainCommand } = await import('./commands/explain.ts')
      explainCommand(code)
    })
}

function addDemo(program: Command): void {
  program
    .command('demo')
    .description('build a raw warehouse in DuckDB and a dbt project for it')
    .option('--out <dir>', 'folder to build it in', 'stagecraft-demo')
    .action(async (flags: { readonly out: string }) => {
      const { demoCommand } = await import('./commands/demo.ts')
      await demoCommand(flags)
    })
}
