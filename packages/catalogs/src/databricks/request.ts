import { numberPlaceholders, type Statement } from '../warehouse/statement.ts'
import type { DatabricksPlace } from './place.ts'
import { isHive } from './statements.ts'

/** The limit of rows. Exceeding it is an error, because answers are never truncated. */
const MOST_ROWS = 5_000_000

/** https://docs.databricks.com/api/workspace/statementexecution/executestatement */
export function toRequest(
  statement: Statement,
  { catalog, warehouseId }: Pick<DatabricksPlace, 'catalog' | 'warehouseId'>,
): object {
  return {
    warehouse_id: warehouseId,
    ...(!isHive(catalog) && { catalog }),
    statement: `/* stagecraft ${statement.name} */ ${numberPlaceholders(statement, (at) => `:p${at}`)}`,
    parameters: statement.values.map((value, at) => ({ name: `p${at + 1}`, value, type: 'STRING' })),
    wait_timeout: '0s',
    disposition: 'INLINE',
    format: 'JSON_ARRAY',
    row_limit: MOST_ROWS,
  }
}
