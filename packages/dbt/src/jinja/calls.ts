import type { Token } from './tokens.ts'

/** A literal value, not computed when dbt runs. */
export type Literal = string | number | boolean | null

/** A call in Jinja: `ref('orders', v=2)`. */
export interface Call {
  /** `ref`, `dbt_utils.star`, `adapter.dispatch`. */
  readonly name: string
  /** Positional arguments; undefined for a computed one. */
  readonly positional: readonly (Literal | undefined)[]
  readonly named: Readonly<Record<string, Literal | undefined>>
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
  const positional: (Literal | undefined)[] = []
  const named: Record<string, Literal | undefined> = {}
  for (const argument of splitArguments(tokens, opening, ends)) {
    const [name, equals, ...value] = argument
    if (name?.kind === 'name' && isOperator(equals, '=')) named[name.text] = toLiteral(value)
    else positional.push(toLiteral(argument))
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

/** Returns the tokens of each argument up to the closing parenthesis; of a bracketed part only the opening bracket. */
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
    const operator = token.kind === 'operator' ? token.text : ''
    if (operator === ',') found.push([])
    else found.at(-1)?.push(token)
    if (OPENINGS.has(operator)) index = ends.get(index) ?? tokens.length
  }
  return found.filter((argument) => argument.length > 0)
}

const WORDS: Readonly<Record<string, Literal>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
}

function toLiteral(tokens: readonly Token[]): Literal | undefined {
  const [token, ...others] = tokens
  if (!token || others.length > 0) return undefined
  if (token.kind === 'string') return token.text
  if (token.kind === 'number') return Number(token.text)
  return token.kind === 'name' ? WORDS[token.text] : undefined
}

function isOperator(token: Token | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text
}
