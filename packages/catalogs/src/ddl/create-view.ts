import type { Cursor } from '../sql/cursor.ts'
import { isClause } from './column-clauses.ts'
import { readType } from './column-type.ts'
import { ddlRulesOf } from './ddl-rules-of.ts'
import type { Change, ColumnDefinition } from './definitions.ts'
import { readName, takeName } from './names.ts'
import { readQuery } from './query/read-query.ts'
import type { Script } from './script.ts'
import { readText } from './text.ts'

/** Reads a CREATE VIEW, from the name on. */
export function readCreateView(cursor: Cursor, script: Script, isReplacing: boolean): Change {
  const keeps = cursor.skip('IF', 'NOT', 'EXISTS')
  const name = readName(cursor, script)
  skipBeforeColumns(cursor, script)
  const columns = cursor.atSymbol('(') ? readColumns(cursor.takeGroup(), script) : []
  let comment: string | undefined
  while (!cursor.done && !cursor.at('AS')) {
    if (cursor.skip('COMMENT')) comment = readText(cursor)
    else if (cursor.takeGroup() === undefined) cursor.next()
  }
  cursor.skip('AS')
  const query = readQuery(cursor, script)
  const table = { name, kind: 'view' as const, columns, constraints: [], comment }
  return {
    kind: 'create table',
    table,
    existing: isReplacing ? 'replace' : keeps ? 'keep' : 'refuse',
    copies: [],
    query,
  }
}

/** Brackets further behind hold options: `PARTITION BY day OPTIONS (expires = 3)`. */
function skipBeforeColumns(cursor: Cursor, script: Script): void {
  for (;;) {
    if (cursor.skip('ON', 'CLUSTER') || cursor.skip('UUID')) cursor.next()
    else if (cursor.skip('TO')) readName(cursor, script)
    else if (!cursor.skip('COPY', 'GRANTS')) return
  }
}

/** Names, with types in ClickHouse and comments elsewhere. */
function readColumns(group: Cursor | undefined, script: Script): readonly ColumnDefinition[] {
  return (group?.splitByComma() ?? []).flatMap((part) => {
    const name = takeName(part, script)
    const type = ddlRulesOf(script.dialect).viewColumnsHaveTypes
      ? readType(part, script, isClause)
      : undefined
    const comment = part.skipTo('COMMENT') && part.skip('COMMENT') ? readText(part) : undefined
    return name === undefined ? [] : [{ name, type: type?.text, ...(comment !== undefined && { comment }) }]
  })
}
