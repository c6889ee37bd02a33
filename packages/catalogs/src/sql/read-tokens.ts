import type { DialectName } from '@stagecraft/spec'
import { Tokenizer } from './tokenizer.ts'
import type { Token } from './tokens.ts'

/**
 * All tokens of a short text.
 *
 * @throws {UnreadableSql} For a quote or a comment without end.
 */
export function readTokens(sql: string, dialect: DialectName | undefined): readonly Token[] {
  const tokenizer = new Tokenizer(sql, dialect)
  const tokens: Token[] = []
  for (let token = tokenizer.next(); token; token = tokenizer.next()) tokens.push(token)
  return tokens
}
