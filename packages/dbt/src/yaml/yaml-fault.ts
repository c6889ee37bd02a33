/** Describes an error of YAML on one line. The parser itself has no message for aliases that expand without end. */
export function yamlFault(error: unknown): string {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return /call stack/i.test(message) ? TOO_DEEP : message
}

const TOO_DEEP = 'it is nested too deeply to be read; remove levels'
