import type { Catalog } from '@stagecraft/spec'
import { withCatalog } from '../catalogs/with-catalog.ts'
import type { ServiceContext } from '../context.ts'
import { scannedCatalog } from '../sources/scanned-catalog.ts'
import type { GenerationRow } from '../store/schema.ts'

export interface ColumnsPlace {
  readonly projectId: string
  /** Default: the connection of the project. */
  readonly connectionId: string | null
  readonly columns: GenerationRow['columns']
  readonly signal: AbortSignal
}

/** Reads from the warehouse as it is now, or as its newest scan found it. */
export async function withColumns<Result>(
  context: ServiceContext,
  { columns, connectionId, projectId, signal }: ColumnsPlace,
  work: (catalog: Catalog) => Promise<Result>,
): Promise<Result> {
  const place = { projectId, ...(connectionId !== null && { connectionId }) }
  if (columns === 'live') return await withCatalog(context, { ...place, signal }, work)
  return await work(await scannedCatalog(context, place))
}
