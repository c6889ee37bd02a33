import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import type { Token } from '../sql/tokens.ts'
import type { Script } from './script.ts'

/** A name that needs no quotes in a warehouse that stores it as such. */
const PLAIN = /^[\p{L}_][\p{L}\p{N}_$]*$/u

/**
 * Returns how the warehouse stores a name. A script of another dialect than the warehouse's describes where its tables
 * came from: a name then keeps its case only where the script's quotes were there to keep it.
 */
export function storedSpelling(
  { kind, text }: Pick<Token, 'kind' | 'text'>,
  { dialect, target = dialect }: Pick<Script, 'dialect' | 'target'>,
): string {
  if (target === dialect) return kind === 'word' ? fold(text, dialect) : text
  const isPlain = PLAIN.test(text)
  const isCaseless = kind === 'word' || quotesIgnoreCase(dialect) || text === fold(text, dialect)
  const isFolded =
    isPlain && isCaseless && target !== undefined && DIALECTS[target].identifiers.stores !== 'as written'
  if (isFolded) return fold(text, target)
  return kind === 'word' ? fold(text, dialect) : text
}

function fold(text: string, dialect: DialectName | undefined): string {
  const way = dialect && DIALECTS[dialect].identifiers.stores
  return way === 'upper' ? text.toUpperCase() : way === 'lower' ? text.toLowerCase() : text
}

/** Tells whether `[Id]` and `id` are the same column. */
function quotesIgnoreCase(dialect: DialectName | undefined): boolean {
  return dialect !== undefined && !DIALECTS[dialect].identifiers.caseSensitive
}
