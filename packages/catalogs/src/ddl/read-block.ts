import { Cursor } from '../sql/cursor.ts'
import { isWord, type Token } from '../sql/tokens.ts'
import type { Change } from './definitions.ts'
import type { Script } from './script.ts'
import { splitStatements } from './split-statements.ts'
import { isOfInterest, readStatement } from './statements.ts'

/** Words behind which a statement of a block begins. */
const BEFORE_STATEMENT = ['BEGIN', 'THEN', 'ELSE', 'LOOP', 'EXECUTE']

/**
 * The statements of PostgreSQL's `DO $$ BEGIN CREATE TYPE …; EXCEPTION … END $$`, with which migrations guard what may be
 * there already; undefined for any other statement.
 */
export function readBlock(
  tokens: readonly Token[],
  script: Script,
): readonly (() => Change | undefined)[] | undefined {
  if (!isWord(tokens[0], 'DO')) return undefined
  const body = tokens.find(({ kind }) => kind === 'text')?.text ?? ''
  const inner: Script = { ...script, sql: body, skip: () => undefined }
  return [...splitStatements({ sql: body, dialect: script.dialect }, () => true)].flatMap((statement) => {
    const at = statement.tokens.findIndex(
      (token, index) =>
        isOfInterest(token) &&
        !isWord(token, 'SET', 'USE', 'EXECUTE', 'DO') &&
        (index === 0 || isWord(statement.tokens[index - 1], ...BEFORE_STATEMENT)),
    )
    const rest = statement.tokens.slice(at)
    return at < 0 ? [] : [() => readStatement(new Cursor(rest), inner)]
  })
}
