import type { Row } from '../warehouse/statement.ts'
import { call, type ApiOptions } from './api.ts'

interface DatasetList {
  readonly datasets?: readonly { readonly datasetReference: { readonly datasetId: string } }[]
  readonly nextPageToken?: string
}

/** Lists the datasets of a project, which is free. */
export async function listDatasets(
  project: string,
  options: ApiOptions,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let page: string | undefined
  do {
    const query = new URLSearchParams({ maxResults: '1000', ...(page !== undefined && { pageToken: page }) })
    const { datasets = [], nextPageToken } = await call<DatasetList>(
      `/datasets?${query.toString()}`,
      { ...options, project },
      { signal },
    )
    rows.push(...datasets.map(({ datasetReference }) => ({ schema_name: datasetReference.datasetId })))
    page = nextPageToken
  } while (page !== undefined)
  return rows
}
