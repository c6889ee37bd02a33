import type { PushOptions } from './push-options.ts'

/** The message as it is committed: line ends of Unix, and the trailers as a paragraph of their own. */
export function commitMessage({ message, trailers = {} }: Pick<PushOptions, 'message' | 'trailers'>): string {
  const text = message.replaceAll('\r\n', '\n').trim()
  const lines = trailerLines(trailers)
  return lines.length === 0 ? `${text}\n` : `${text}\n\n${lines.join('\n')}\n`
}

/** Whether a commit, as git stores it, ends with all of the trailers. Without any, it is nobody's. */
export function hasTrailers(commit: string, trailers: Readonly<Record<string, string>>): boolean {
  const last = commit.trimEnd().split('\n\n').at(-1)?.split('\n') ?? []
  const lines = trailerLines(trailers)
  return lines.length > 0 && lines.every((line) => last.includes(line))
}

function trailerLines(trailers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(trailers).map(([name, value]) => `${name}: ${value.trim()}`)
}
