import { type Json, toJson, toList, toText } from '../dbt/json.ts'
import { refused } from '../network/connection-failed.ts'
import type { AskAws } from '../aws/aws-call.ts'
import { awsErrorOf } from '../aws/aws-failure.ts'
import type { AthenaPlace } from './place.ts'

/** The limit of pages. A page has up to 100 tables. */
const MOST_PAGES = 10_000

/** The data catalog of Glue. It runs no queries and costs nothing. */
export interface Glue {
  databases(): Promise<readonly Json[]>
  tables(database: string): Promise<readonly Json[]>
  /** Undefined if there is no such table. */
  table(database: string, name: string): Promise<Json | undefined>
}

/** Reads Glue page by page. */
export function glue(place: AthenaPlace, ask: AskAws, signal: AbortSignal): Glue {
  let found: Promise<Json> | undefined
  const call = async (operation: string, input: Json): Promise<Json> => {
    found ??= catalogOf(place, ask, signal)
    const catalog = await found
    return ask({ service: 'glue', target: `AWSGlue.${operation}`, input: { ...catalog, ...input } }, signal)
  }
  const pages = async (operation: string, list: string, input: Json): Promise<readonly Json[]> => {
    const items: Json[] = []
    let token: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await call(operation, { ...input, MaxResults: 100, ...(token && { NextToken: token }) })
      items.push(...toList(answer[list]))
      const next = toText(answer['NextToken'])
      if (next === undefined || next === token) return items
      token = next
    }
    const reason = `${operation} has more than ${MOST_PAGES} pages`
    throw refused({ reason, check: 'the number of tables, or read one schema at a time' }, place.address)
  }
  return {
    databases: () => pages('GetDatabases', 'DatabaseList', {}),
    tables: (database) => pages('GetTables', 'TableList', { DatabaseName: database }),
    table: async (database, name) => {
      try {
        return toJson((await call('GetTable', { DatabaseName: database, Name: name }))['Table'])
      } catch (error) {
        if (awsErrorOf(error) === 'EntityNotFoundException') return undefined
        throw error
      }
    },
  }
}

/**
 * Returns the input that selects the Glue catalog of a data catalog of Athena; empty for that of the account.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a data catalog that is not stored in Glue.
 */
async function catalogOf(
  { address, dataCatalog }: AthenaPlace,
  ask: AskAws,
  signal: AbortSignal,
): Promise<Json> {
  if (dataCatalog.toLowerCase() === 'awsdatacatalog') return {}
  if (/^\d{12}(?::.+)?$/.test(dataCatalog)) return { CatalogId: dataCatalog }
  if (dataCatalog.startsWith('s3tablescatalog/')) {
    const check = `that the name includes the account: 123456789012:${dataCatalog}`
    throw refused({ reason: `the data catalog ${dataCatalog} is named without its account`, check }, address)
  }
  const input = { Name: dataCatalog }
  const answer = await ask({ service: 'athena', target: 'AmazonAthena.GetDataCatalog', input }, signal)
  const catalog = toJson(answer['DataCatalog'])
  const id = toText(toJson(catalog['Parameters'])['catalog-id'])
  if (catalog['Type'] === 'GLUE' && id !== undefined) return { CatalogId: id }
  const type = toText(catalog['Type']) ?? 'unknown'
  const reason = `the data catalog ${dataCatalog} has the type ${type} and is not stored in Glue`
  const check = 'the catalog, or read the result of stagecraft export --print-sql --dialect athena'
  throw refused({ reason, check }, address)
}
