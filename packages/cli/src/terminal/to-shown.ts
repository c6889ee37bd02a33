import { escapeForTerminal } from '@stagecraft/spec'
import { redactParameters } from '@stagecraft/spec/redact-secrets'

/** Cleans a message for people, because it may repeat addresses with secrets and names with control characters. */
export function toShown(message: string): string {
  return escapeForTerminal(redactParameters(message))
}
