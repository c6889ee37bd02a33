import type { DialectName } from '@stagecraft/spec'
import type { GoodExpression } from './corpus/expressions.ts'
import { about, answer, run, stubborn } from './edit-runs.ts'

const settings = { allowExpressions: true, onFailure: 'fallback' } as const

const TEXTS: Partial<Record<DialectName, string>> = {
  bigquery: 'string',
  clickhouse: 'String',
  databricks: 'string',
  mysql: 'varchar(50)',
}

/** A type of texts. */
export function textType(dialect: DialectName): string {
  return TEXTS[dialect] ?? 'varchar'
}

/** Returns the model of a table whose first column, `c`, a model gave an expression; the second is called `d`. */
export async function stageExpression(
  dialect: DialectName,
  { expression, gives, type }: GoodExpression,
): Promise<string> {
  // a name of one letter gives no reason to divide
  const comment = / \/ 100/.test(expression) ? 'In cents.' : undefined
  const columns = [
    { name: dialect === 'snowflake' ? 'C' : 'c', type, ...(comment && { comment }) },
    { name: dialect === 'snowflake' ? 'D' : 'd', type: textType(dialect) },
  ]
  const edit = { ...about(1), expression, type: gives }
  const { data } = await run({
    dialect,
    tables: [{ schema: 'shop', name: 'things', columns }],
    options: { columnOrder: 'source' },
    backend: stubborn(answer([edit])),
    settings,
  })
  return data.code
}

/** Tells whether the expression stands in the model as it was given, with nothing around it. */
export function isWhole(code: string, expression: string): boolean {
  const flat = code.split('\n').map((line) => line.trim())
  return flat.some((line) => line === expression || line.startsWith(`${expression} as `))
}
