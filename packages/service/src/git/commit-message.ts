import type { PushOptions } from './push-options.ts'

/** The message as it is committed: line ends of Unix, and the trailers as a paragraph of their own. */
export function commitMessage({ message, trailers = {} }: Pick<PushOptions, 'message' | 'trailers'>): string {
  const text = message.replaceAll('\r\n', '\n').trim()
  const lines = trailerLines(trailers)
  return lines.length === 0 ? `${text}\n` : `${text}\n\n${lines.join('\n')}\n`
}

/** Returns true if a message has all of the trailers, anywhere: a squash joins several messages. */
export function holdsTrailers(message: string, trailers: Readonly<Record<string, string>>): boolean {
  const found = new Set(message.split('\n').map((line) => line.trim()))
  const lines = trailerLines(trailers)
  return lines.length > 0 && lines.every((line) => found.has(line))
}

function trailerLines(trailers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(trailers).map(([name, value]) => `${name}: ${value.trim()}`)
}
