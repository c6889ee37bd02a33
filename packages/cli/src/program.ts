import { EXPORTED_DIALECTS } from '@stagecraft/spec/names'
import { StagecraftError } from '@stagecraft/spec/errors'
import { Argument, Command, type CommanderError, Option } from 'commander'
import type { ExportFlags } from './commands/export.ts'
import type { GenerateFlags } from './commands/generate.ts'
import type { ProfileFlags } from './commands/profile.ts'
import type { SuggestFlags } from './commands/suggest.ts'
import type { CatalogFlags } from './commands/shared-flags.ts'
import { readVersion } from './read-version.ts'
import { SHELLS, type Shell } from './completion/scripts.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { addAssistant, addProposals } from './program/assistant.ts'
import {
  assertQuotedPattern,
  backendOptions,
  budgetOptions,
  catalogOptions,
  configOption,
  dialectOption,
  EVERY_SOURCE,
  modelOptions,
  rowsOptions,
  shortForJson,
} from './program/options.ts'
import { addLineage } from './program/lineage.ts'
import { addLint } from './program/lint.ts'
import { addProject } from './program/project.ts'
import { addServe } from './serve/add-serve.ts'
import { addDatabase, addKeys } from './serve/add-store.ts'

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
  $ stagecraft learn --write
  $ stagecraft lint --fix
  $ stagecraft lineage shop.orders.amount --down
  $ stagecraft serve
  $ stagecraft serve --catalog postgres://me@localhost/raw --port 8080

Catalogs:
  duckdb:path.duckdb, duckdb:folder/   a database file; a folder of parquet and csv files
  postgres://…, mysql://…, sqlite:path a database
  snowflake://…, bigquery://…          a warehouse; also redshift, databricks, athena, sqlserver, clickhouse, trino
  columns.yml, .json, .csv             a list of columns (docs/reference/columns-file.md)
  results/, 'results/*.csv'            results of the statements of stagecraft export
  schema.sql, ddl:folder/              CREATE TABLE statements
  dbt:target/                          manifest.json and catalog.json of a dbt project

Exit codes: 0 done, 1 a difference or a finding, 2 invalid request, 3 no such source,
4 no connection, 5 generation failed, 70 an internal error, 130 stopped.`

/** Defines the command line. The code of a command is loaded when it runs, so that help is fast. */
export function createProgram(): Command {
  const program = new Command('stagecraft')
    .description('Turns raw tables into dbt staging code that builds, and that you can maintain.')
    .version(readVersion(), '--version')
    .addHelpText('after', EXAMPLES)
    .configureOutput({ outputError: () => undefined })
  program.hook('preAction', (_, command) => assertQuotedPattern(command))
  addGenerate(program)
  addProject(program)
  addLint(program)
  addLineage(program)
  addAssistant(program)
  addProposals(program)
  addTables(program)
  addExport(program)
  addDoctor(program)
  addProfile(program)
  addConfig(program)
  addSchema(program)
  addCompletion(program)
  addGolden(program)
  addServe(program)
  addKeys(program)
  addDatabase(program)
  addDemo(program)
  for (const command of [program, ...allCommands(program)])
    command.exitOverride((error) => raise(error, command))
  return program
}

/** Help and version were printed and succeed; everything else is an error in the arguments. */
function raise({ code, exitCode, message }: CommanderError, command: Command): never {
  if (exitCode === 0) process.exit()
  // Without a command, commander has printed the help.
  if (code === 'commander.help') process.exit(EXIT_CODES.INVALID_REQUEST)
  const what = command.commands.length > 0 ? 'commands and options' : 'arguments and options'
  const text = suggestLonger(message.replace(/^error: /, '').replace(/\.$/, ''), command).replace('\n', ' ')
  throw new StagecraftError('INVALID_REQUEST', text, {
    details: { suggestion: `${fullName(command)} --help shows ${what}` },
  })
}

/** Returns the full name of a command: `stagecraft keys create`. */
function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
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
  rowsOptions(backendOptions(modelOptions(command)))
    .argument('[source...]', 'source names (raw.stripe.payments) or whole schemas (stripe.*)')
    .option('--all', 'generate every table of the catalog')
    .option('--out <dir>', 'write the files into a dbt project there, instead of printing them')
    .option(
      '--watch',
      'generate again whenever the configuration, a template or a file of the project changes',
    )
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
    .addOption(dialectOption('dialect of the names'))
    .option('--json', 'print the tables with all known details as JSON')
    .action(async (schemas: readonly string[], flags: CatalogFlags & { readonly json?: boolean }) => {
      const { tablesCommand } = await import('./commands/tables.ts')
      await tablesCommand(schemas, flags)
    })
}

function addDoctor(program: Command): void {
  catalogOptions(
    program.command('doctor').description('check a catalog step by step, and print the result of each step'),
  )
    .argument('[schema]', 'schema to read; default: all that the catalog reads')
    .option('--json', 'print the steps as JSON')
    .addHelpText('after', '\nThe output has no secrets, but it has names of hosts, schemas and tables.')
    .action(async (schema: string | undefined, flags: CatalogFlags & { readonly json?: boolean }) => {
      const { doctorCommand } = await import('./commands/doctor.ts')
      await doctorCommand(schema, flags)
    })
}

const EXPORT_NOTES = `
Name a schema as schema or database.schema. If the warehouse allows it, one statement reads them all. Save the result
with its headers, as CSV or JSON, and read it: stagecraft tables --catalog result.csv
Of several results, name the folder, or a pattern in quotes: --catalog results/ or --catalog 'results/*.csv'`

function addExport(program: Command): void {
  program
    .command('export')
    .description('print statements that describe tables, for a warehouse without a connection')
    .argument('<schema...>', 'schemas to describe: stripe, raw.stripe')
    .option('--print-sql', 'print the statements, to be run with any client')
    .addOption(
      new Option('--dialect <name>', 'dialect of the warehouse')
        .choices(EXPORTED_DIALECTS)
        .makeOptionMandatory(),
    )
    .addHelpText('after', EXPORT_NOTES)
    .action(async (schemas: readonly string[], flags: ExportFlags) => {
      const { exportCommand } = await import('./commands/export.ts')
      await exportCommand(schemas, flags)
    })
}

function addProfile(program: Command): void {
  const profile = program.command('profile').description('profile the rows of tables: counts, bounds, keys')
  budgetOptions(catalogOptions(profile))
    .argument(...EVERY_SOURCE)
    .addOption(dialectOption('dialect of the names'))
    .addOption(
      new Option('--format <name>', 'format of the report').choices([
        'text',
        'json',
        'html',
        'mermaid',
        'dbml',
      ]),
    )
    .addOption(shortForJson())
    .option('--output <file>', 'write the report to a file')
    .option('--print-sql', 'print the statements, to run them with another client')
    .option('--from <path>', 'read the answers to printed statements, or profiles: a file, folder or pattern')
    .action(async (sources: readonly string[], flags: ProfileFlags) => {
      const { profileCommand } = await import('./commands/profile.ts')
      await profileCommand(sources, flags)
    })
  const suggest = program
    .command('suggest')
    .description('propose undeclared keys, references and other settings')
  rowsOptions(catalogOptions(suggest), 'check the proposals against the rows')
    .argument(...EVERY_SOURCE)
    .addOption(dialectOption('dialect of the names'))
    .option(
      '--accept <id...>',
      'write these suggestions into stagecraft.yml; all: those sure enough to be tested as errors',
    )
    .option('--json', 'print the suggestions as JSON')
    .action(async (sources: readonly string[], flags: SuggestFlags) => {
      const { suggestCommand } = await import('./commands/suggest.ts')
      await suggestCommand(sources, flags)
    })
}

function addConfig(program: Command): void {
  configOption(program.command('config').description('show the configuration'))
    .option('--print', 'print the configuration with all defaults filled in (the default)')
    .action(async (flags: { readonly config?: string }) => {
      const { configCommand } = await import('./commands/config.ts')
      await configCommand(flags)
    })
}

function addSchema(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of stagecraft.yml, for editors')
    .action(async () => {
      const { printSchema } = await import('./files/schema-reference.ts')
      process.stdout.write(printSchema())
    })
}

const COMPLETION_NOTES = `
  $ source <(stagecraft completion bash)                                        in ~/.bashrc
  $ source <(stagecraft completion zsh)                                         in ~/.zshrc, after compinit
  $ stagecraft completion fish > ~/.config/fish/completions/stagecraft.fish`

function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the script that completes commands, options and names in a shell')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(SHELLS))
    .addHelpText('after', COMPLETION_NOTES)
    .action(async (shell: Shell) => {
      const { completionCommand } = await import('./commands/complete.ts')
      completionCommand(shell)
    })
  program
    .command('complete', { hidden: true })
    .description('print the completions at the cursor, for the scripts of shells')
    .argument('[word...]', 'words after the name of the program, up to the cursor')
    .action(async (words: readonly string[]) => {
      const { completeCommand } = await import('./commands/complete.ts')
      await completeCommand(program, words)
    })
}

function addGolden(program: Command): void {
  program
    .command('golden')
    .description('regenerate recorded cases and show the differences')
    .argument('<folder>', 'folder with cases: input.json beside expected/ or error.json')
    .option('--update', 'record the new output')
    .action(async (folder: string, flags: { readonly update?: boolean }) => {
      const { goldenCommand } = await import('./commands/golden.ts')
      await goldenCommand(folder, flags)
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
