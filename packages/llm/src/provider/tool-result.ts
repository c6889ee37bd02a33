import type { ToolResult } from '@stagecraft/spec'

/** OpenAI's APIs have no flag for failed tools, so the text says so. */
export function resultText({ text, isError = false }: ToolResult): string {
  return isError ? `error: ${text}` : text
}
