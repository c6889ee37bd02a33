import { type Dialect, DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'

/** The rules by which a dialect writes texts, names and comments, as far as the tokenizer needs them. */
export interface LexicalRules {
  /** `\'` inside a text is a quote. `ask` where nobody said which dialect it is. */
  readonly backslash: 'escape' | 'plain' | 'ask'
  /** `[name]` is a name: always, or only where it cannot be an array. */
  readonly brackets: 'name' | 'maybe' | 'array'
  /** `/*` inside a comment opens another one. */
  readonly nestedComments: boolean
  /** Reads the content of MySQL's conditional comments. */
  readonly conditionalComments: boolean
  /** Further beginnings of a comment that ends with its line, besides the dashes. */
  readonly lineComments: readonly string[]
  /** `#` begins a comment where a line begins. */
  readonly hashStartsLine: boolean
  /** `"""` and `'''` enclose a text. */
  readonly tripleQuotes: boolean
  /** Reads double quotes as a text, not as a name. */
  readonly doubleQuotedText: boolean
}

/**
 * Returns the rules of a dialect. Where nobody named one, the rules are such that a wrong guess ends in an error
 * and not in other tables: only dialects that escape with backslashes quote names in backticks (SQLite, which
 * knows both spellings, aside), and a nested comment that was none leaves a comment without end.
 */
export function lexicalRules(dialect: DialectName | undefined, text: string): LexicalRules {
  if (dialect !== undefined) return rulesOf(DIALECTS[dialect])
  const hasBackticks = text.includes('`')
  return {
    backslash: hasBackticks ? 'escape' : 'ask',
    brackets: 'maybe',
    nestedComments: true,
    conditionalComments: /\/\*!\d{5,6}\s/.test(text),
    lineComments: [],
    hashStartsLine: true,
    tripleQuotes: hasBackticks,
    doubleQuotedText: false,
  }
}

function rulesOf({ ddl, lexing }: Dialect): LexicalRules {
  return {
    backslash: ddl.backslashEscapes ? 'escape' : 'plain',
    brackets: lexing.brackets,
    nestedComments: lexing.comments.nested,
    conditionalComments: lexing.comments.executed.length > 0,
    lineComments: lexing.comments.alsoLine,
    hashStartsLine: false,
    tripleQuotes: lexing.tripleQuotes,
    doubleQuotedText: lexing.doubleQuoted === 'text',
  }
}
