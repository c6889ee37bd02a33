import type { Dialect } from '@stagecraft/dialects'
import { cast } from './conversions.ts'

/** A column of a key, as SQL refers to it. */
export interface KeyPart {
  readonly sql: string
  readonly isText: boolean
}

/** One text that differs whenever one of the parts does. */
export function joinKey(parts: readonly KeyPart[], dialect: Dialect): string {
  const type = dialect.types.cast.string ?? 'varchar'
  const texts = parts.filter(({ isText }) => isText)
  const pieces = parts.flatMap((part) => {
    const text = part.isText ? part.sql : cast(part.sql, type, dialect)
    // Two texts side by side could share a border, so that all but the last say how long they are.
    const isAmbiguous = part.isText && part !== texts.at(-1)
    return isAmbiguous
      ? [
          cast(
            dialect.idioms.textLength.replaceAll('{x}', () => text),
            type,
            dialect,
          ),
          text,
        ]
      : [text]
  })
  return pieces.reduce((left, right) => concat(concat(left, "'|'", dialect), right, dialect))
}

function concat(a: string, b: string, { idioms }: Dialect): string {
  return idioms.concat.replaceAll(/\{[ab]\}/g, (operand) => (operand === '{a}' ? a : b))
}
