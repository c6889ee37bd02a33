import type { Place } from '../queryable-project.ts'
import type { Answer, Citation } from './answer.ts'
import type { Proof } from './evidence.ts'
import { plainMarkdown } from './plain-markdown.ts'

export interface ReadOptions {
  readonly proof: Proof
  /** Names that need no citation: proposals of the conversation. */
  readonly proposals: readonly string[]
}

type ReadAnswer = Pick<Answer, 'text' | 'citations' | 'unknown' | 'droppedCitations' | 'unproven'>

/** Places in brackets: `[models/a.sql:3]`, `[models/a.sql:3-5, 9; seeds/b.csv:1]`. */
const BRACKET = /[ \t]*\[([^[\]\n]{3,2000})\]/g
const PLACE = /^`?(?:([^:`]*[^:`\s]):)?\s*(?:line |L)?(\d{1,9})(?:\s*[-–]\s*L?(\d{1,9}))?`?$/

const UNKNOWN = /^\s*(?:[-*]\s+)?\**unknown\**:\**\s*(.*)$/i

/** The most lines of one citation, so that a person can check it. */
const MOST_LINES = 200

/**
 * Reads the text of a model. A place in brackets becomes a mark if a tool result named it and it still exists;
 * otherwise it is removed. Statements about the project without a citation are marked.
 */
export function readAnswer(text: string, options: ReadOptions): ReadAnswer {
  const citations: Citation[] = []
  let dropped = 0
  const markOf = (group: readonly Range[]): string =>
    group
      .flatMap((range) => {
        const found = cite(range, { ...options, citations })
        if (found === undefined) dropped += 1
        return found === undefined ? [] : [`[${found}]`]
      })
      .join('')
  const marked = plainMarkdown(text).replaceAll(BRACKET, (whole, inner: string) => {
    const group = placesIn(inner)
    // numbers in brackets would look like marks
    if (group === undefined) return /^\s*\[[\d?]+\]$/.test(whole) ? '' : whole
    const marks = markOf(group)
    return marks === '' ? '' : ` ${marks}`
  })
  const { said, unknown } = withoutUnknown(marked)
  const { text: proven, unproven } = markUnproven(said, options)
  return { text: proven, citations, unknown, droppedCitations: dropped, unproven }
}

interface Range extends Place {
  readonly endLine: number
}

/** Returns the places in brackets; undefined for brackets that belong to the text. */
function placesIn(inner: string): readonly Range[] | undefined {
  const ranges: Range[] = []
  for (const part of inner.split(/[,;]/)) {
    const [match, file = ranges.at(-1)?.file, first = '', last = first] = PLACE.exec(part.trim()) ?? []
    if (match === undefined || file === undefined || !/[./]/.test(file)) return undefined
    ranges.push({ file: file.trim().replace(/^\.\//, ''), line: Number(first), endLine: Number(last) })
  }
  return ranges
}

interface Citing extends ReadOptions {
  readonly citations: Citation[]
}

/** Returns the mark of a place, always the same for it; undefined for a place without proof. */
function cite({ endLine, file, line }: Range, { citations, proof }: Citing): number | undefined {
  const known = citations.find((one) => one.file === file && one.line === line && last(one) === endLine)
  if (known) return known.mark
  if (endLine < line || endLine - line >= MOST_LINES) return undefined
  const lines = Array.from({ length: endLine - line + 1 }, (_, index) => proof({ file, line: line + index }))
  const [text] = lines
  if (text === undefined || lines.includes(undefined)) return undefined
  const mark = citations.length + 1
  citations.push({ mark, file, line, ...(endLine > line && { endLine }), text })
  return mark
}

function last({ endLine, line }: Citation): number {
  return endLine ?? line
}

/** Removes the lines about unknown facts from a text, including a list below `Unknown:`. */
function withoutUnknown(text: string): { readonly said: string; readonly unknown: readonly string[] } {
  const unknown: string[] = []
  const said: string[] = []
  let isBelow = false
  for (const line of text.split('\n')) {
    const [isUnknown, rest = ''] = UNKNOWN.exec(line) ?? []
    const [, item] = /^\s*[-*]\s+(.+)$/.exec(line) ?? []
    if (isUnknown !== undefined) {
      isBelow = rest.trim() === ''
      if (!isBelow) unknown.push(plain(rest))
    } else if (isBelow && item !== undefined) unknown.push(plain(item))
    else {
      isBelow &&= line.trim() === ''
      said.push(line)
    }
  }
  return { said: said.join('\n').trim(), unknown: unknown.filter((one) => one !== '') }
}

function plain(text: string): string {
  return text.replaceAll(/\s*\[\d+\]/g, '').trim()
}

/** A sentence with the marks behind it. */
const SENTENCE = /.+?(?:[.!?](?=\s|$)(?:\s*\[\d+\])*|$)/g

/** Matches signs of a stated fact: a name in code, a name with `_`, `.` or `/`, or a number. */
const FACT = /`[^`]+`|[A-Za-z]\w*(?:[_./][A-Za-z0-9]\w*)+|[A-Za-z]+_\w+|(?<![\w.])\d+(?![\w.])/

function markUnproven(
  text: string,
  { proposals }: ReadOptions,
): { readonly text: string; readonly unproven: number } {
  let unproven = 0
  let isCode = false
  const lines = text.split('\n').map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    const isFrame = /^\s*(?:#|\|?[\s:|-]+\|?$|$)/.test(line) || /:\**\s*$/.test(line)
    if (isFence || isCode || isFrame) return line
    const [, lead = '', rest = line] = /^(\s*(?:[-*+]|\d+[.)])\s+|\s*\|)?(.*)$/.exec(line) ?? []
    const sentences = line.trimStart().startsWith('|') ? [rest] : (rest.match(SENTENCE) ?? [])
    return `${lead}${sentences.map(marked).join('')}`
  })
  return { text: lines.join('\n'), unproven }

  function marked(sentence: string): string {
    const isProven = /\[\d+\]/.test(sentence) || proposals.some((id) => sentence.includes(id))
    if (isProven || /\?\s*$/.test(sentence) || !FACT.test(sentence)) return sentence
    unproven += 1
    return `${sentence.trimEnd()} [?]`
  }
}
