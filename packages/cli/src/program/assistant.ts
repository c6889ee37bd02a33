import { StagecraftError } from '@stagecraft/spec/errors'
import { BACKEND_NAMES, DIALECT_NAMES } from '@stagecraft/spec/names'
import { type Command, Option } from 'commander'
import type { AskFlags } from '../commands/ask-flags.ts'
import type { McpFlags } from '../commands/mcp.ts'
import type { ProposalsFlags } from '../commands/proposals.ts'

const CLIENTS = ['claude', 'vscode', 'cursor'] as const

const MCP_NOTES = `
A client starts this command itself, once for each project; --print-config prints what to put into its configuration.
The tools read the files of the project. None writes a file of it, opens an address or runs SQL; only --catalog has the
columns of raw tables read. What a tool proposes is kept in .stagecraft/proposals until a person applies it:
stagecraft proposals, stagecraft apply prop_….

With --http, clients send a key: that of STAGECRAFT_MCP_TOKEN, or one that is printed at the start.`

const ASK_NOTES = `
Examples:
  $ stagecraft ask "what breaks if shop.orders.tax is dropped?"
  $ stagecraft ask "where is fct_orders used?"
  $ stagecraft ask "which models have no tests?"
  $ stagecraft ask "which column holds the email of the customer?"

Without a language model, answers are computed from the files of the project, each with file and line, and nothing leaves
the machine. A question of another kind is refused, with a list of those that can be answered.

With one (--backend, or backend: in stagecraft.yml) it looks things up by the same tools and answers in words. Names,
descriptions and SQL of the project go to it; rows, keys and profiles.yml do not. Every place that it cites is checked: [?]
stands behind a sentence without proof.
  $ stagecraft ask --backend anthropic "how is revenue made up, and what would change if tax went away?"
  $ stagecraft ask --follow-up "and which of these models have no tests?"`

/** `stagecraft ask` and `stagecraft mcp`. */
export function addAssistant(program: Command): void {
  projectOptions(
    program.command('ask').description('answer a question about a dbt project, with file and line'),
  )
    .argument('[question...]', 'the question; in English where no language model is asked')
    .addOption(new Option('--backend <name>', 'ask a language model').choices(BACKEND_NAMES))
    .option('--model <name>', "the provider's name for the model")
    .option('--no-model', 'compute the answer, even if stagecraft.yml names a backend')
    .option('--base-url <url>', "address of the backend's API")
    .addOption(
      number(
        '--max-tokens <n>',
        'most tokens of an answer, all calls together (default: 200000)',
        'maxTokens',
      ),
    )
    .addOption(number('--max-seconds <n>', 'time limit of an answer (default: 120)', 'maxSeconds'))
    .addOption(number('--max-cost <amount>', 'most that an answer may cost, by --prices', 'maxCost'))
    .option('--prices <in/out>', 'what a million tokens cost, read and written: 1/5')
    .option('--follow-up', 'go on with the newest conversation of the project')
    .option('--conversation <id>', 'go on with this conversation')
    .option('--transcript <file>', 'keep the conversation there (default: in .stagecraft/conversations)')
    .option('--no-transcript', 'keep nothing')
    .option('--replay <file>', 'ask the questions of a transcript again, with what the model said then')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', ASK_NOTES)
    .action(async (words: readonly string[], flags: AskFlags) => {
      const { askCommand } = await import('../commands/ask.ts')
      await askCommand(words, flags)
    })
  projectOptions(program.command('mcp').description('serve questions about a dbt project to an MCP client'))
    .addOption(new Option('--print-config <client>', 'print the configuration of a client').choices(CLIENTS))
    .option('--http [address]', 'serve over HTTP, at a port or host:port (default: 127.0.0.1:8765)')
    .option('--allowed-host <name...>', 'with --http: other names by which clients ask for the server')
    .option('--tools <names>', 'offer only these tools, by name, with commas between (default: all)')
    .option('--no-proposals', 'leave out the tools that propose changes')
    .option('--allow-values', 'let results hold values that a look at the rows found')
    .addHelpText('after', MCP_NOTES)
    .action(async (flags: McpFlags) => {
      const { mcpCommand } = await import('../commands/mcp.ts')
      await mcpCommand(flags)
    })
}

/** An option whose value is a number above 0. */
function number(flags: string, description: string, name: string): Option {
  return new Option(flags, description).argParser((text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
    throw StagecraftError.invalid({
      path: name,
      expected: 'a number above 0',
      received: JSON.stringify(text),
    })
  })
}

/** `stagecraft proposals`. */
export function addProposals(program: Command): void {
  const proposals = program
    .command('proposals')
    .description('list, show and discard the changes that tools propose')
    .addHelpText('after', PROPOSALS_NOTES)
  const dir = [
    '--project-dir <dir>',
    'folder of the dbt project, or one inside it (default: the current one)',
  ] as const
  proposals
    .command('list')
    .description('list the proposals that can be applied')
    .option(...dir)
    .option('--json', 'print them as JSON and nothing else')
    .action(async (flags: ProposalsFlags) => {
      const { listProposalsCommand } = await import('../commands/proposals.ts')
      await listProposalsCommand(flags)
    })
  proposals
    .command('show')
    .description('show a proposal with its differences')
    .argument('<id>', 'prop_…, as listed')
    .option(...dir)
    .option('--json', 'print it as JSON and nothing else')
    .action(async (id: string, flags: ProposalsFlags) => {
      const { showProposalCommand } = await import('../commands/proposals.ts')
      await showProposalCommand(id, flags)
    })
  proposals
    .command('discard')
    .description('drop proposals')
    .argument('<id...>', 'prop_…, as listed')
    .option(...dir)
    .action(async (ids: readonly string[], flags: ProposalsFlags) => {
      const { discardProposalsCommand } = await import('../commands/proposals.ts')
      await discardProposalsCommand(ids, flags)
    })
}

const PROPOSALS_NOTES = `
A tool of stagecraft mcp proposes a change, and a person decides: stagecraft apply prop_… writes it, stagecraft undo takes it
back. A proposal expires after 7 days, and is refused once a file that it changes is another one.`

function projectOptions(command: Command): Command {
  return command
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it (default: the current one)')
    .option(
      '--catalog [catalog]',
      'read raw tables from a catalog (default: that of the configuration or of the dbt profile; without the option, the tables of stagecraft.lock)',
    )
    .addOption(new Option('--dialect <name>', 'how the SQL is spelled').choices(DIALECT_NAMES))
    .option('--config <file>', 'configuration file (default: stagecraft.yml, if there is one)')
}
