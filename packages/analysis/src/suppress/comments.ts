import { isCode, scanSql } from '@stagecraft/dbt'
import type { Dialect } from '@stagecraft/dialects'
import { Lexer } from 'yaml'
import { lineOf, type Place, positionOf, type SourceFile } from '../project/source-file.ts'
import type { Suppression } from './suppression.ts'

const WORDS = /\bstagecraft:\s*ignore\b(?!-)\s*(SC\d+(?:\s*,\s*SC\d+)*)?\s*[:—–-]?\s*([^]*)/i

/**
 * Suppressions in the comments of a file: in SQL `-- stagecraft: ignore SC203 reason`, in YAML and Python after `#`.
 */
export function suppressionsInComments(file: SourceFile, dialect: Dialect): readonly Suppression[] {
  if (!file.text.includes('stagecraft:')) return []
  const comments = file.path.endsWith('.sql')
    ? sqlComments(file, dialect)
    : file.path.endsWith('.py')
      ? pythonComments(file)
      : yamlComments(file)
  const lines = commentLines(file, comments)
  return comments.flatMap((place) => toSuppression(file, place, lines) ?? [])
}

/** Returns the lines that start with a comment. */
function commentLines(file: SourceFile, comments: readonly Place[]): ReadonlySet<number> {
  return new Set(
    comments.flatMap(({ end, start }) => {
      const [first, last] = [positionOf(file, start), positionOf(file, end)]
      const opens =
        lineOf(file, first.line)
          .slice(0, first.column - 1)
          .trim() === ''
      const from = opens ? first.line : first.line + 1
      return Array.from({ length: Math.max(0, last.line - from + 1) }, (_, index) => from + index)
    }),
  )
}

function sqlComments(file: SourceFile, dialect: Dialect): readonly Place[] {
  return scanSql(file.text, dialect)
    .filter((token) => !isCode(token) && token.kind !== 'blank')
    .map(({ end, start }) => ({ path: file.path, start, end }))
}

function pythonComments({ path, text }: SourceFile): readonly Place[] {
  const pattern = /("""|''')[^]*?\1|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n\r]*/g
  return [...text.matchAll(pattern)]
    .filter(([found]) => found.startsWith('#'))
    .map(({ 0: found, index }) => ({ path, start: index, end: index + found.length }))
}

/** Returns the comments of a YAML line; a `#` inside a text starts none. */
function yamlComments({ path, text }: SourceFile): readonly Place[] {
  const places: Place[] = []
  let offset = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    // Control tokens have no text of their own.
    const isMark = token === '\u0002' || token === '\u0018' || token === '\u001F'
    if (!isMark) {
      if (!isScalar && token.startsWith('#')) places.push({ path, start: offset, end: offset + token.length })
      offset += token.length
    }
    isScalar = token === '\u001F'
  }
  return places
}

function toSuppression(
  file: SourceFile,
  place: Place,
  comments: ReadonlySet<number>,
): Suppression | undefined {
  const text = file.text.slice(place.start, place.end)
  const found = WORDS.exec(text)
  if (!found) return undefined
  const [, list, rest = ''] = found
  const reason = rest.replace(/(?:\*\/|-?#\})\s*$/, '').trim()
  const line = coveredLine(file, place, comments)
  const rules = list?.split(',').map((id) => id.trim().toUpperCase()) ?? []
  return {
    rules,
    reason: reason === '' ? undefined : reason,
    place,
    kind: 'comment',
    covers: (finding) =>
      finding.path === file.path && finding.start.line === line && rules.includes(finding.rule),
    removal: removalOf(file, place),
  }
}

/** Returns the line that a comment applies to: its own line after code, else the next line of code. */
function coveredLine(file: SourceFile, place: Place, comments: ReadonlySet<number>): number {
  const first = positionOf(file, place.start).line
  if (!standsAlone(file, place)) return first
  for (let line = positionOf(file, place.end).line + 1; line <= file.lineStarts.length; line += 1)
    if (lineOf(file, line).trim() !== '' && !comments.has(line)) return line
  return first
}

function standsAlone({ text }: SourceFile, { end, start }: Place): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const lineEnd = text.indexOf('\n', end)
  const after = text.slice(end, lineEnd === -1 ? text.length : lineEnd)
  return before.replace('\uFEFF', '').trim() === '' && after.trim() === ''
}

/** Returns the comment with its line, or with the blanks before it. */
function removalOf(file: SourceFile, place: Place): Place {
  const { path, text } = file
  if (standsAlone(file, place)) {
    const start = text.lastIndexOf('\n', place.start - 1) + 1
    const end = text.indexOf('\n', place.end)
    return {
      path,
      start: start === 0 && text.startsWith('\uFEFF') ? 1 : start,
      end: end === -1 ? text.length : end + 1,
    }
  }
  const lineEnd = text.indexOf('\n', place.end)
  const isLast = text.slice(place.end, lineEnd === -1 ? text.length : lineEnd).trim() === ''
  const before = isLast ? (/[ \t]*$/.exec(text.slice(0, place.start))?.[0].length ?? 0) : 0
  return { path, start: place.start - before, end: place.end }
}
