import { type IndexedModel, scanSql } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'

export type SqlToken = ReturnType<typeof scanSql>[number]

const NOT_SQL: ReadonlySet<SqlToken['kind']> = new Set(['blank', 'comment', 'jinja-comment'])

/** Returns the tokens of a model's file without blanks and comments, words in lower case. */
export function sqlTokens({ dialect, files }: LintProject, { path }: IndexedModel): readonly SqlToken[] {
  return scanSql(files.get(path)?.text ?? '', dialect)
    .filter(({ kind }) => !NOT_SQL.has(kind))
    .map((token) => (token.kind === 'word' ? { ...token, text: token.text.toLowerCase() } : token))
}

export function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text)
}
