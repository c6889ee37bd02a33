/** Says in a line what stops YAML from being read. The reader itself has no word for texts that it cannot get to the bottom of. */
export function yamlFault(error: unknown): string {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return /call stack/i.test(message) ? TOO_DEEP : message
}

const TOO_DEEP = 'it is nested more deeply than can be read; take levels out'
