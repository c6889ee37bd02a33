import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server'
import { z } from '@stagecraft/spec/zod'
import { cleanText } from '../clean-text.ts'

const name = z.string().min(1).max(300)

/** Starts a conversation with the instruction of the user; names in it are quoted as data. */
function say(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}

function quote(text: string): string {
  return JSON.stringify(cleanText(text))
}

/** Offers common tasks as prompts. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'stage_source',
    {
      title: 'Stage a raw table',
      description: 'Proposes a staging model for a raw table.',
      argsSchema: z.object({ source: name }),
    },
    ({ source }) =>
      say(
        `Propose a staging model for the raw table ${quote(source)}. Look at describe_table and get_conventions first. Describe columns only where names and comments of the table make their content clear; list those that you left out. Call propose_model, then show me the difference and the warnings. Apply nothing.`,
      ),
  )
  server.registerPrompt(
    'review_model',
    {
      title: 'Review a model',
      description: 'Reviews one model: its inputs, its readers, tests, findings.',
      argsSchema: z.object({ model: name }),
    },
    ({ model }) =>
      say(
        `Review the dbt model ${quote(model)}: its inputs, what breaks without it, existing and missing tests, lint findings. Cite file and line for everything. List the changes you would make, most important first, and what you could not find out.`,
      ),
  )
  server.registerPrompt(
    'explain_drift',
    {
      title: 'Explain what changed in raw tables',
      description: 'Explains what changed in raw tables, and what it breaks.',
      argsSchema: z.object({ source: name.optional() }),
    },
    ({ source }) =>
      say(
        `What changed in ${source === undefined ? 'the raw tables' : `the raw tables of ${quote(source)}`} since the models were generated? Use compare_source, then get_impact for every column that was removed or changed its type. Cite file and line, and say what is not known.`,
      ),
  )
}
