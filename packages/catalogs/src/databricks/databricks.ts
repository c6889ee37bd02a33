import type { Catalog } from '@stagecraft/spec'
import { openMetadata } from '../warehouse/metadata-warehouse.ts'
import { readPlace } from './place.ts'
import { type RunLimits, runStatement } from './run-statement.ts'
import { schemasStatement, statements } from './statements.ts'
import { toSchemas, toTables } from './to-tables.ts'
import { workspace } from './workspace.ts'

export interface DatabricksOptions {
  /** `databricks://token:dapi…@adb-1.azuredatabricks.net/main/raw?http_path=/sql/1.0/warehouses/…` */
  readonly text: string
  /** Cancels opening, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The time limits of one statement. @default those of `RunLimits` */
  readonly limits?: RunLimits | undefined
}

/**
 * Opens the catalog of a Databricks SQL warehouse over its REST API, without a driver. This starts a stopped
 * warehouse, which costs money.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the warehouse refuses or is too slow; INVALID_REQUEST for an
 * invalid address.
 */
export async function databricks({ fetch, limits, signal, text }: DatabricksOptions): Promise<Catalog> {
  const place = readPlace(text)
  const { catalog, schema } = place
  const ask = workspace(place, fetch)
  const schemas = schemasStatement(catalog)
  return openMetadata(
    {
      dialect: 'databricks',
      database: catalog,
      defaultSchema: schema,
      schemas,
      statements,
      toTables,
      run: async (statement, until) => {
        const rows = await runStatement(statement, { ...place, ask, limits, signal: until })
        return statement === schemas ? toSchemas(rows) : rows
      },
    },
    signal,
  )
}
