import { readStyle } from '../merge/list-style.ts'
import { isCode, scanSql, type SqlSyntax } from '../merge/scan-sql.ts'
import type { SelectList } from '../merge/select-list.ts'

/** The style of a model's SQL; members are undefined if unclear. */
export interface SqlShape {
  readonly commas: 'leading' | 'trailing' | undefined
  /** The import and the renaming common table expression: `source renamed`. */
  readonly ctes: string | undefined
  readonly keywords: 'lower' | 'upper' | undefined
  /** The blanks before `select` in a common table expression. */
  readonly indent: string | undefined
}

/** Reads the style of a model. */
export function readShape(text: string, lists: readonly SelectList[], syntax: SqlSyntax): SqlShape {
  const main = lists.toSorted((a, b) => b.items.length - a.items.length)[0]
  const style = main && main.items.length > 2 ? readStyle(text, main) : undefined
  return {
    commas: style && !style.inline ? (style.leading ? 'leading' : 'trailing') : undefined,
    ctes: main && cteNames(main, lists),
    keywords: caseOf(text, syntax),
    indent: /^(?<indent> +)select\b/im.exec(text)?.groups?.['indent']?.length.toString(),
  }
}

function cteNames({ cte }: SelectList, lists: readonly SelectList[]): string | undefined {
  const first = lists.find((list) => list.cte !== undefined)?.cte
  return first === undefined || cte === undefined || first === cte ? undefined : `${first} ${cte}`
}

function caseOf(text: string, syntax: SqlSyntax): SqlShape['keywords'] {
  const words = scanSql(text, syntax)
    .filter(isCode)
    .flatMap((token) =>
      token.kind === 'word' && /^(?:select|from|with|as)$/i.test(token.text) ? token.text : [],
    )
  if (words.every((word) => word === word.toUpperCase())) return 'upper'
  return words.every((word) => word === word.toLowerCase()) ? 'lower' : undefined
}
