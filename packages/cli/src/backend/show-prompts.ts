import type { TablePrompts } from '@stagecraft/core/run'

/** Prints what would be sent to a backend, one conversation after another. */
export function showPrompts(tables: readonly TablePrompts[], { json }: { readonly json: boolean }): void {
  const text = json ? `${JSON.stringify(tables, null, 2)}\n` : tables.map(printTable).join('\n')
  process.stdout.write(text)
}

function printTable({ prompts, source }: TablePrompts): string {
  if (prompts.length === 0) return `== ${source}: nothing is sent\n`
  return prompts
    .map(({ output, system, turns }, index) => {
      const part = prompts.length > 1 ? ` (${index + 1} of ${prompts.length})` : ''
      const said = turns.map((turn) => `-- ${turn.role}\n${turn.role === 'user' ? turn.text : ''}\n`)
      const schema = `-- schema ${output?.name}\n${JSON.stringify(output?.schema)}\n`
      return `== ${source}${part}\n-- system\n${system}\n${said.join('')}${schema}`
    })
    .join('\n')
}
