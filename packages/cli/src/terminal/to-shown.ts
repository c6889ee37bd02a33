import { escapeForTerminal } from '@stagecraft/spec'
import { redactParameters } from '@stagecraft/spec/redact-secrets'

/** A message for people: it may repeat what was given, addresses with secrets and names with control characters. */
export function toShown(message: string): string {
  return escapeForTerminal(redactParameters(message))
}
