import type { Address } from '../network/address.ts'
import type { Statement } from '../warehouse/statement.ts'
import { storedName } from './names.ts'

/** https://docs.snowflake.com/en/developer-guide/sql-api/reference */
export function requestOf({ text, values }: Statement, { option, path }: Address, seconds: number): object {
  const bindings = values.map((value, index) => [index + 1, { type: 'TEXT', value }])
  const names = { warehouse: option('warehouse'), role: option('role'), database: path[0], schema: path[1] }
  const stated = Object.entries(names).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, storedName(value)] as const],
  )
  return {
    statement: text,
    timeout: seconds,
    ...Object.fromEntries(stated),
    ...(values.length > 0 && { bindings: Object.fromEntries(bindings) as object }),
    parameters: { query_tag: option('query_tag') ?? 'stagecraft' },
  }
}
