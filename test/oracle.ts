import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import { init, validate } from '@polyglot-sql/sdk'

/** Says what is wrong with a statement, by a parser that has no part in printing it; undefined if nothing. */
export async function sqlFault(sql: string, dialect: DialectName): Promise<string | undefined> {
  await init()
  const result = validate(sql, DIALECTS[dialect].parsers.polyglot, { strictSyntax: true })
  return result.valid ? undefined : result.errors.map((error) => error.message).join('; ')
}
