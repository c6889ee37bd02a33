import type { JinjaValue } from './jinja-value.ts'
import type { Token } from './tokens.ts'

/** A call in Jinja: `ref('orders', v=2)`. */
export interface Call {
  /** `ref`, `dbt_utils.star`, `adapter.dispatch`. */
  readonly name: string
  /** Positional arguments; undefined for a computed one. */
  readonly positional: readonly (JinjaValue | undefined)[]
  readonly named: Readonly<Record<string, JinjaValue | undefined>>
  /** The offset of its name in the expression. */
  readonly offset: number
}

/** Finds all calls in an expression, including nested ones. */
export function callsIn(tokens: readonly Token[]): readonly Call[] {
  const ends = closingsOf(tokens)
  return tokens.flatMap((token, index) => {
    const isCall = token.kind === 'name' && isOperator(tokens[index + 1], '(')
    if (!isCall) return []
    const first = firstOfName(tokens, index)
    if (first === undefined) return []
    const name = tokens
      .slice(first, index + 1)
      .map(({ text }) => text)
      .join('')
    return [{ name, offset: tokens[first]?.offset ?? 0, ...readArguments(tokens, index + 1, ends) }]
  })
}

/** Returns the start of a dotted name; undefined for a member of something other than a name: `x().ref(…)`. */
function firstOfName(tokens: readonly Token[], index: number): number | undefined {
  let first = index
  while (isOperator(tokens[first - 1], '.')) {
    if (tokens[first - 2]?.kind !== 'name') return undefined
    first -= 2
  }
  return first
}

function readArguments(
  tokens: readonly Token[],
  opening: number,
  ends: ReadonlyMap<number, number>,
): Pick<Call, 'positional' | 'named'> {
  const positional: (JinjaValue | undefined)[] = []
  const named: Record<string, JinjaValue | undefined> = {}
  for (const argument of splitArguments(tokens, opening, ends)) {
    const [name, equals, ...value] = argument
    if (name?.kind === 'name' && isOperator(equals, '=')) named[name.text] = literalOf(value)
    else positional.push(literalOf(argument))
  }
  return { positional, named }
}

const OPENINGS = new Set(['(', '[', '{'])
const CLOSINGS = new Set([')', ']', '}'])

/** Returns the index of the closing bracket for each opening one; unclosed ones are left out. */
function closingsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'operator') continue
    if (OPENINGS.has(text)) open.push(index)
    const last = CLOSINGS.has(text) ? open.pop() : undefined
    if (last !== undefined) ends.set(last, index)
  }
  return ends
}

/** Most tokens of a list or map that is read. Longer ones, and calls in calls, would take time with their square. */
const LONGEST_LITERAL = 200

/** Returns the tokens of each part between a bracket and its end; of a long inner part only its opening bracket. */
function splitArguments(
  tokens: readonly Token[],
  opening: number,
  ends: ReadonlyMap<number, number>,
): readonly (readonly Token[])[] {
  const found: Token[][] = [[]]
  const end = ends.get(opening) ?? tokens.length
  for (let index = opening + 1; index < end; index++) {
    const token = tokens[index]
    if (!token) break
    if (isOperator(token, ',')) {
      found.push([])
      continue
    }
    const isOpening = token.kind === 'operator' && OPENINGS.has(token.text)
    // what is never closed reaches to the end
    const last = ends.get(index) ?? (isOpening ? tokens.length : index)
    const isShort = last - index < LONGEST_LITERAL
    found.at(-1)?.push(...tokens.slice(index, isShort ? last + 1 : index + 1))
    index = last
  }
  return found.filter((argument) => argument.length > 0)
}

const WORDS: Readonly<Record<string, JinjaValue>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
}

/** Returns the value of a literal, a list or a map of literals; undefined if any of it is computed. */
function literalOf(tokens: readonly Token[]): JinjaValue | undefined {
  const [token, ...others] = tokens
  if (!token) return undefined
  if (token.kind === 'operator') {
    const ends = closingsOf(tokens)
    if (ends.get(0) !== tokens.length - 1) return undefined
    const parts = splitArguments(tokens, 0, ends)
    if (token.text === '[') return allOf(parts.map(literalOf))
    return token.text === '{' ? mapOf(parts) : undefined
  }
  if (others.length > 0) return undefined
  if (token.kind === 'string') return token.text
  return token.kind === 'number' ? Number(token.text) : WORDS[token.text]
}

function allOf(values: readonly (JinjaValue | undefined)[]): readonly JinjaValue[] | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known : undefined
}

function mapOf(parts: readonly (readonly Token[])[]): JinjaValue | undefined {
  const values = allOf(parts.map(([, , ...value]) => literalOf(value)))
  const areKeys = parts.every(([key, colon]) => key?.kind === 'string' && isOperator(colon, ':'))
  if (!values || !areKeys) return undefined
  return Object.fromEntries(parts.map(([key], at) => [key?.text ?? '', values[at] ?? null]))
}

function isOperator(token: Token | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text
}
