import type { ToolResult } from '@stagecraft/spec'

/** OpenAI's APIs have no flag for failed tools, so the text says it. */
export function resultText({ text, isError = false }: ToolResult): string {
  return isError ? `error: ${text}` : text
}
