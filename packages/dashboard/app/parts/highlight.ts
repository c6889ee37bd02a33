// Highlighting for the two generated languages. The tokens contain every character once, in order. Each rule consumes
// what it matches, so that the time is linear.

/** A token of a line and its kind; without a kind it has no colour. */
export interface Piece {
  readonly look?: Look
  readonly text: string
}

type Look = 'comment' | 'string' | 'number' | 'keyword' | 'attr'

/** The kind of a rule and its pattern: sticky, and with `u`, so that no character is split. */
type Rules = readonly (readonly [look: Look | 'word' | 'open' | 'plain', pattern: RegExp])[]

const KEYWORDS = new Set(
  'all and anti any array as asc between by case cast coalesce create cross current_date current_timestamp date desc distinct else end except exists extract false filter first following from full group having if ilike in inner intersect interval is join last lateral left like limit not null nullif nulls offset on or order outer over partition preceding qualify range regexp replace right rlike row row_number rows select semi struct table then timestamp trim true try_cast unbounded union unnest using values when where window with within'.split(
    ' ',
  ),
)

const NAME = /[\p{L}_][\p{L}\p{N}_$.]*/uy
const NUMBER = /\d[\d.]*(?:e[+-]?\d+)?/iuy

/** SQL with Jinja, as in dbt. */
const SQL: Rules = [
  ['comment', /\{#[^]*?(?:#\}|$)/uy],
  ['open', /\{[{%]/uy],
  ['comment', /--[^\n]*|\/\*[^]*?(?:\*\/|$)/uy],
  ['string', /'[^']*(?:'|$)/uy],
  ['plain', /"[^"]*(?:"|$)|`[^`]*(?:`|$)/uy],
  ['number', NUMBER],
  ['word', NAME],
  ['plain', /\s+/uy],
]

/** The content of Jinja, up to its end. */
const JINJA: Rules = [
  ['open', /[%}]\}/uy],
  ['string', /'[^']*(?:'|$)|"[^"]*(?:"|$)/uy],
  ['attr', /[^'"%}]+/uy],
]

/** A YAML value, or a list or map in brackets. */
const VALUE: Rules = [
  ['comment', /(?<=^|\s)#.*/uy],
  ['string', /'[^']*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)/uy],
  ['plain', /[\s[\]{},:]+/uy],
  ['keyword', /(?:true|false|null|~)(?=[\s,\]}]|$)/uy],
  ['number', /-?\d[\d._]*(?=[\s,\]}]|$)/uy],
  ['string', /[^\s[\]{},]+/uy],
]

/** Returns the match of a rule at a position; without one, the single character there. */
function matchAt(text: string, at: number, rules: Rules): readonly [rule: Rules[number][0], text: string] {
  for (const [name, pattern] of rules) {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found) return [name, found]
  }
  return ['plain', String.fromCodePoint(text.codePointAt(at) ?? 0)]
}

/** Returns the pieces of SQL with Jinja. */
function sqlPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let isJinja = false
  for (let at = 0; at < text.length; at += pieces.at(-1)?.text.length ?? 1) {
    const [rule, found] = matchAt(text, at, isJinja ? JINJA : SQL)
    if (rule === 'open') isJinja = !isJinja
    const isKeyword = rule === 'word' && KEYWORDS.has(found.toLowerCase())
    if (rule === 'open' || (isJinja && rule === 'plain')) pieces.push({ look: 'attr', text: found })
    else if (rule === 'plain' || rule === 'word')
      pieces.push(isKeyword ? { look: 'keyword', text: found } : { text: found })
    else pieces.push({ look: rule, text: found })
  }
  return pieces
}

const LINE = /^(\s*)((?:- +)*)((?:"[^"]*"|'[^']*'|[^\s'"#[\]{},&*!|>%@`-][^:#]*|-[^\s:#][^:#]*):(?=\s|$))?/u
const BLOCK = /^\s*[|>][-+\d]*\s*$/u

/** Returns the tokens of YAML, line by line. A text block lasts while its lines are indented more. */
function yamlPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let block: number | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) pieces.push({ text: '\n' })
    const indent = line.search(/\S|$/u)
    if (block !== undefined && (line.trim() === '' || indent > block))
      pieces.push({ look: 'string', text: line })
    else {
      const [, space = '', bullets = '', key = ''] = LINE.exec(line) ?? []
      const value = line.slice(space.length + bullets.length + key.length)
      pieces.push({ text: space }, { look: 'attr', text: bullets + key })
      for (const piece of valuePieces(value)) pieces.push(piece) // Too many for arguments.
      block = BLOCK.test(value) ? indent : undefined
    }
  }
  return pieces
}

function valuePieces(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < text.length; at += pieces.at(-1)?.text.length ?? 1) {
    const [rule, found] = matchAt(text, at, VALUE)
    pieces.push(rule === 'plain' ? { text: found } : { look: rule as Look, text: found })
  }
  return pieces
}

/** Returns the lines of a file as tokens. */
export function highlight(text: string, path: string): readonly (readonly Piece[])[] {
  const isYaml = /\.ya?ml$/.test(path)
  const pieces = path.endsWith('.sql') ? sqlPieces(text) : isYaml ? yamlPieces(text) : [{ text }]
  const lines: Piece[][] = [[]]
  for (const { look, text } of pieces)
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push(look === undefined ? { text: part } : { look, text: part })
    }
  return lines
}
