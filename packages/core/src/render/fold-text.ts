/** The width at which lines of a block are folded. */
export const LINE_WIDTH = 74

/** A line has room for that many characters, however deep it stands. */
const LEAST_WIDTH = 20

export interface FoldOptions {
  /** Columns taken before the text on its first line: by the key, or by the indentation of an item. */
  readonly start: number
  /** Columns of the lines that follow. */
  readonly indent: number
}

/**
 * Breaks a text at single spaces, so that lines are as long as they may be, as the `yaml` library does. The text has
 * printable characters of ASCII alone.
 *
 * @returns Undefined where a line has no space to break at, which quotes do not take, or where nothing fits behind the
 * key.
 */
export function foldText(
  text: string,
  { indent, start }: FoldOptions,
  { isQuoted }: { readonly isQuoted: boolean },
): string | undefined {
  const step = Math.max(1 + LEAST_WIDTH, 1 + LINE_WIDTH - indent)
  if (text.length <= step) return text
  if (start > LINE_WIDTH - LEAST_WIDTH) return undefined
  const pieces: string[] = []
  let begin = 0
  let seen = 0
  let end = LINE_WIDTH - start
  while (end < text.length) {
    let split = lastSpace(text, seen, end)
    if (split < 0) {
      if (isQuoted) return undefined
      split = nextSpace(text, end + 1)
      if (split < 0) break
    }
    pieces.push(text.slice(begin, split))
    begin = split + 1
    seen = Math.max(end, split) + 1
    end = Math.max(split + step, seen)
  }
  return [...pieces, text.slice(begin)].join(`\n${' '.repeat(indent)}`)
}

/** Returns true if the character is a space between two other characters. */
function isSingleSpace(text: string, at: number): boolean {
  return text[at] === ' ' && at > 0 && text[at - 1] !== ' ' && at < text.length - 1 && text[at + 1] !== ' '
}

function lastSpace(text: string, from: number, to: number): number {
  for (let at = to; at >= from; at--) if (isSingleSpace(text, at)) return at
  return -1
}

function nextSpace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (isSingleSpace(text, at)) return at
  return -1
}
