import { StagecraftError } from '@stagecraft/spec/errors'
import { BACKEND_NAMES } from '@stagecraft/spec/names'
import { type Command, Option } from 'commander'
import type { AskFlags } from '../commands/ask-model.ts'
import type { McpFlags } from '../commands/mcp.ts'
import type { ProposalsFlags } from '../commands/proposals.ts'
import { PROJECT_DIR, readingOptions } from './options.ts'

const CLIENTS = ['claude', 'vscode', 'cursor'] as const

const MCP_NOTES = `
An MCP client starts this command itself, once for each project; --print-config prints its configuration.
The tools read the files of the project. They change no file, open no connection and run no SQL; only --catalog reads
the columns of raw tables. Proposals of tools stay in .stagecraft/proposals until a person applies them:
stagecraft proposals, stagecraft apply prop_….

With --http, clients send a key: STAGECRAFT_MCP_TOKEN, or one that is printed at start.`

const ASK_NOTES = `
Examples:
  $ stagecraft ask "what breaks if shop.orders.tax is dropped?"
  $ stagecraft ask "where is fct_orders used?"
  $ stagecraft ask "which models have no tests?"
  $ stagecraft ask "which column holds the email of the customer?"

Without a language model, answers come from the files of the project, each with file and line, and nothing leaves
the machine. Other questions are refused, with a list of possible ones.

A model (--backend, or backend: in stagecraft.yml) uses the same tools and answers in words. Names,
descriptions and SQL of the project are sent to it; rows, keys and profiles.yml are not. Every citation is checked: [?]
follows a sentence without proof.
  $ stagecraft ask --backend anthropic "how is revenue made up, and what would change if tax went away?"
  $ stagecraft ask --follow-up "and which of these models have no tests?"`

/** `stagecraft ask` and `stagecraft mcp`. */
export function addAssistant(program: Command): void {
  readingOptions(
    program.command('ask').description('answer a question about a dbt project, with file and line'),
  )
    .argument('[question...]', 'the question, in English unless a language model is used')
    .addOption(new Option('--backend <name>', 'ask a language model').choices(BACKEND_NAMES))
    .option('--model <name>', "the provider's name for the model")
    .option('--no-model', 'compute the answer, even if stagecraft.yml names a backend')
    .option('--base-url <url>', "address of the backend's API")
    .addOption(
      number(
        '--max-tokens <n>',
        'token limit of an answer, all calls together (default: 200000)',
        'maxTokens',
      ),
    )
    .addOption(number('--max-seconds <n>', 'time limit of an answer (default: 120)', 'maxSeconds'))
    .addOption(
      number('--max-cost <amount>', 'cost limit of an answer, in the currency of --prices', 'maxCost'),
    )
    .option('--prices <in/out>', 'prices of a million input and output tokens: 1/5')
    .option('--follow-up', 'continue the newest conversation of the project')
    .option('--conversation <id>', 'continue this conversation')
    .option('--transcript <file>', 'store the conversation there (default: in .stagecraft/conversations)')
    .option('--no-transcript', 'do not store the conversation')
    .option('--replay <file>', 'replay the questions of a transcript, with the recorded turns of the model')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', ASK_NOTES)
    .action(async (words: readonly string[], flags: AskFlags) => {
      const { askCommand } = await import('../commands/ask.ts')
      await askCommand(words, flags)
    })
  readingOptions(program.command('mcp').description('serve questions about a dbt project to an MCP client'))
    .addOption(new Option('--print-config <client>', 'print the configuration of a client').choices(CLIENTS))
    .option('--http [address]', 'serve over HTTP, at a port or host:port (default: 127.0.0.1:8765)')
    .option('--allowed-host <name...>', 'with --http: other host names that clients may use')
    .option('--tools <names>', 'offer only these tools, by name, separated by commas (default: all)')
    .option('--no-proposals', 'omit the tools that propose changes')
    .option('--allow-values', 'allow values from profiled rows in results')
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
  proposals
    .command('list')
    .description('list the proposals that can be applied')
    .option(...PROJECT_DIR)
    .option('--json', 'print them as JSON and nothing else')
    .action(async (flags: ProposalsFlags) => {
      const { listProposalsCommand } = await import('../commands/proposals.ts')
      await listProposalsCommand(flags)
    })
  proposals
    .command('show')
    .description('show a proposal with its differences')
    .argument('<id>', 'prop_…, as listed')
    .option(...PROJECT_DIR)
    .option('--json', 'print it as JSON and nothing else')
    .action(async (id: string, flags: ProposalsFlags) => {
      const { showProposalCommand } = await import('../commands/proposals.ts')
      await showProposalCommand(id, flags)
    })
  proposals
    .command('discard')
    .description('drop proposals')
    .argument('<id...>', 'prop_…, as listed')
    .option(...PROJECT_DIR)
    .action(async (ids: readonly string[], flags: ProposalsFlags) => {
      const { discardProposalsCommand } = await import('../commands/proposals.ts')
      await discardProposalsCommand(ids, flags)
    })
}

const PROPOSALS_NOTES = `
A tool of stagecraft mcp proposes a change, and a person decides: stagecraft apply prop_… writes it, stagecraft undo reverts
it. A proposal expires after 7 days, and is refused if one of its files has changed.`
