import { lineStarts } from '@stagecraft/dbt'

/** A piece of a file, in UTF-16 offsets. */
export interface Place {
  /** Relative to the project. */
  readonly path: string
  readonly start: number
  /** The position after the last character. */
  readonly end: number
}

/** A file with its text and the starts of its lines. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly lineStarts: readonly number[]
}

export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, lineStarts: lineStarts(text) }
}

/** A line and a column, both from 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

export function positionOf({ lineStarts, text }: SourceFile, offset: number): Position {
  let [low, high] = [0, lineStarts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  const start = lineStarts[low] ?? 0
  const mark = start === 0 && text.startsWith('\uFEFF') ? 1 : 0
  return { line: low + 1, column: Math.max(1, offset - start - mark + 1) }
}

/** Returns the text of a 1-based line, without line break and byte order mark. */
export function lineOf({ lineStarts, text }: SourceFile, line: number): string {
  const end = lineStarts[line] ?? text.length + 1
  return text
    .slice(lineStarts[line - 1] ?? text.length, end - 1)
    .replace(/\r$/, '')
    .replace(/^\uFEFF/, '')
}

/** Returns the place of a 1-based line, without surrounding blanks. */
export function placeOfLine(file: SourceFile, line: number): Place {
  const text = lineOf(file, line)
  const bare = text.trim()
  const start = file.text.indexOf(bare, file.lineStarts[line - 1] ?? 0)
  return { path: file.path, start, end: start + bare.length }
}
