/** A token of an expression in Jinja. */
export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'operator'
  /** The value of a string, without quotes; the text of other tokens. */
  readonly text: string
  /** The offset in the expression. */
  readonly offset: number
}

const TOKEN =
  /\s+|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([\p{L}_][\p{L}\p{N}_]*)|(\d+(?:\.\d+)?)|(\*\*|==|!=|<=|>=|\/\/|[^\s\w])/gsu

/** Splits an expression or statement into tokens. */
export function tokensOf(source: string): readonly Token[] {
  return [...source.matchAll(TOKEN)].flatMap((match) => toToken(match) ?? [])
}

function toToken({
  1: double,
  2: single,
  3: name,
  4: number,
  5: operator,
  index,
}: RegExpExecArray): Token | undefined {
  const quoted = double ?? single
  if (quoted !== undefined) return { kind: 'string', text: unescape(quoted), offset: index }
  if (name !== undefined) return { kind: 'name', text: name, offset: index }
  if (number !== undefined) return { kind: 'number', text: number, offset: index }
  return operator === undefined ? undefined : { kind: 'operator', text: operator, offset: index }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, character: string) => ESCAPES[character] ?? character)
}
