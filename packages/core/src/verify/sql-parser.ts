import type { Dialect } from '@stagecraft/dialects'
import { loadPackage } from '@stagecraft/spec'

/** Returns the fault in a statement; undefined if the grammar accepts it. */
export type SqlCheck = (sql: string) => string | undefined

interface ParserModule {
  readonly Parser: new () => { astify(sql: string, options: { database: string }): unknown }
}

type Grammar = NonNullable<Dialect['parsers']['nodeSqlParser']>

/** One grammar each, because all of them together are 89 MB. */
const GRAMMARS: Readonly<Record<Grammar, () => Promise<unknown>>> = {
  athena: () => import('node-sql-parser/build/athena.js'),
  bigquery: () => import('node-sql-parser/build/bigquery.js'),
  mysql: () => import('node-sql-parser/build/mysql.js'),
  postgresql: () => import('node-sql-parser/build/postgresql.js'),
  redshift: () => import('node-sql-parser/build/redshift.js'),
  snowflake: () => import('node-sql-parser/build/snowflake.js'),
  sqlite: () => import('node-sql-parser/build/sqlite.js'),
  transactsql: () => import('node-sql-parser/build/transactsql.js'),
  trino: () => import('node-sql-parser/build/trino.js'),
}

/**
 * Loads the check of the dialect's SQL; undefined when node-sql-parser has no grammar for it.
 *
 * @throws {StagecraftError} INVALID_REQUEST if there is one, but the package is not installed.
 */
export async function loadSqlCheck({
  parsers: { nodeSqlParser: grammar },
}: Dialect): Promise<SqlCheck | undefined> {
  if (grammar === undefined) return undefined
  const parse = await loadPackage({
    packageName: 'node-sql-parser',
    neededBy: 'the check of templates',
    load: () => loadParser(grammar),
  })
  return (sql) => {
    try {
      parse(renderJinja(sql))
      return undefined
    } catch (error) {
      return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    }
  }
}

/** Parses SQL without Jinja; throws if the grammar does not accept it. */
export async function loadParser(grammar: Grammar): Promise<(sql: string) => unknown> {
  const loaded = (await GRAMMARS[grammar]()) as { readonly default: ParserModule }
  const parser = new loaded.default.Parser()
  return (sql) => parser.astify(sql, { database: grammar })
}

/** An escaped mark, a comment, a statement or an expression, whichever comes first. */
const JINJA = /\{\{ '(\{[{%#]|#\})' \}\}|\{#[\s\S]*?#\}|\{%[\s\S]*?%\}|\{\{([\s\S]*?)\}\}/g

/** Returns the statement as dbt would send it, with placeholder names for computed Jinja. */
export function renderJinja(sql: string): string {
  return sql
    .replace(JINJA, (_, mark: string | undefined, expression: string | undefined) => {
      if (mark !== undefined) return mark
      if (expression === undefined || /^-?\s*config\(/.test(expression)) return ''
      return /^-?\s*dbt\.type_\w+\(\)/.test(expression) ? 'varchar' : 'jinja_relation'
    })
    .trim()
}
