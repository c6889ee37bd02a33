import type { Token } from './tokens.ts'

/** A value that is written down, rather than worked out when dbt runs. */
export type Literal = string | number | boolean | null

/** A call in Jinja: `ref('orders', v=2)`. */
export interface Call {
  /** `ref`, `dbt_utils.star`, `adapter.dispatch`. */
  readonly name: string
  /** Positional arguments; undefined for one that is worked out. */
  readonly positional: readonly (Literal | undefined)[]
  readonly named: Readonly<Record<string, Literal | undefined>>
  /** The offset of its name in the expression. */
  readonly offset: number
}

/** Finds all calls in an expression, those in the arguments of others included. */
export function callsIn(tokens: readonly Token[]): readonly Call[] {
  return tokens.flatMap((token, index) => {
    const isCall = token.kind === 'name' && isOperator(tokens[index + 1], '(')
    if (!isCall) return []
    const first = firstOfName(tokens, index)
    if (first === undefined) return []
    const name = tokens
      .slice(first, index + 1)
      .map(({ text }) => text)
      .join('')
    return [{ name, offset: tokens[first]?.offset ?? 0, ...readArguments(tokens, index + 2) }]
  })
}

/** The index where a dotted name begins; undefined for a member of something that is no name: `x().ref(…)`. */
function firstOfName(tokens: readonly Token[], index: number): number | undefined {
  if (!isOperator(tokens[index - 1], '.')) return index
  return tokens[index - 2]?.kind === 'name' ? firstOfName(tokens, index - 2) : undefined
}

function readArguments(tokens: readonly Token[], from: number): Pick<Call, 'positional' | 'named'> {
  const positional: (Literal | undefined)[] = []
  const named: Record<string, Literal | undefined> = {}
  for (const argument of splitArguments(tokens, from)) {
    const [name, equals, ...value] = argument
    if (name?.kind === 'name' && isOperator(equals, '=')) named[name.text] = toLiteral(value)
    else positional.push(toLiteral(argument))
  }
  return { positional, named }
}

const OPENINGS = new Set(['(', '[', '{'])
const CLOSINGS = new Set([')', ']', '}'])

/** The tokens of each argument up to the closing parenthesis. */
function splitArguments(tokens: readonly Token[], from: number): readonly (readonly Token[])[] {
  const found: Token[][] = [[]]
  let depth = 0
  for (const token of tokens.slice(from)) {
    const operator = token.kind === 'operator' ? token.text : ''
    if (CLOSINGS.has(operator) && depth === 0) break
    depth += OPENINGS.has(operator) ? 1 : CLOSINGS.has(operator) ? -1 : 0
    if (operator === ',' && depth === 0) found.push([])
    else found.at(-1)?.push(token)
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
