import type { Dialect } from '@stagecraft/dialects'
import {
  type Catalog,
  type CatalogTable,
  type GenerationRequest,
  generationRequestSchema,
  type SourceName,
} from '@stagecraft/spec'
import type { GenerateContext, GenerateItem } from '../run/run-item.ts'
import { parseSourceName } from '../source-name/parse.ts'
import { validate } from '@stagecraft/spec/validate'
import { resolveDialect } from './choose-dialect.ts'
import { inDialect, isNamed, nameOf } from './read-tables.ts'

export interface ReadRequestsOptions extends GenerateContext {
  readonly catalog: Catalog
  /** Stops between two queries. */
  readonly signal?: AbortSignal | undefined
}

/** A request with its table, or why it has none. */
export type ReadRequest = { readonly item: GenerateItem } | { readonly error: unknown }

/**
 * The request with its table, the source spelled as stored.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a faulty request, INVALID_SOURCE, CONNECTION_FAILED.
 */
export async function readRequest(
  request: GenerationRequest,
  { catalog, signal, ...context }: ReadRequestsOptions,
): Promise<GenerateItem> {
  const valid = validate(generationRequestSchema, request, 'the request')
  const dialect = resolveDialect(context, catalog)
  const asked = parseSourceName(valid.source, dialect)
  const table = await catalog.describe(asked)
  signal?.throwIfAborted()
  return toItem(valid, { asked, table, catalog, dialect })
}

/**
 * The table of each request. Tables of one schema are read together, and what is wrong with one leaves the others be.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when the catalog cannot be read.
 */
export async function readRequests(
  requests: readonly GenerationRequest[],
  { catalog, signal, ...context }: ReadRequestsOptions,
): Promise<readonly ReadRequest[]> {
  const dialect = resolveDialect(context, catalog)
  const parsed = requests.map((request) => tryParse(request, dialect))
  const named = parsed.flatMap((one) => ('asked' in one ? one.asked : []))
  const found = new Map<string, readonly CatalogTable[]>()
  for (const [place, group] of Map.groupBy(named, placeOf)) {
    signal?.throwIfAborted()
    const [first] = group
    if (!first) continue
    const { table: _, ...selector } = first
    found.set(place, await catalog.tables({ ...selector, tables: group.map(({ table }) => table) }))
  }
  const outcomes: ReadRequest[] = []
  for (const [index, one] of parsed.entries()) {
    const request = requests[index]
    if (!request || 'error' in one) {
      outcomes.push('error' in one ? one : { error: new TypeError('there is no request') })
      continue
    }
    const { asked } = one
    const alike = (found.get(placeOf(asked)) ?? []).filter((table) => isNamed(table, asked.table))
    outcomes.push(await settle(request, { asked, alike, catalog, dialect }))
  }
  return outcomes
}

type Parsed = { readonly asked: SourceName } | { readonly error: unknown }

function tryParse(request: GenerationRequest, dialect: Dialect): Parsed {
  try {
    const { source } = validate(generationRequestSchema, request, 'the request')
    return { asked: parseSourceName(source, dialect) }
  } catch (error) {
    return { error }
  }
}

interface Found {
  readonly asked: SourceName
  readonly alike: readonly CatalogTable[]
  readonly catalog: Catalog
  readonly dialect: Dialect
}

/** Of none and of several that a name may mean, the catalog says which, or why not. */
async function settle(request: GenerationRequest, { alike, ...found }: Found): Promise<ReadRequest> {
  try {
    const [only, ...others] = alike
    const table = only && others.length === 0 ? only : await found.catalog.describe(found.asked)
    return { item: toItem(request, { ...found, table }) }
  } catch (error) {
    return { error }
  }
}

function toItem(
  request: GenerationRequest,
  { asked, catalog, dialect, table }: Omit<Found, 'alike'> & { readonly table: CatalogTable },
): GenerateItem {
  return {
    request: { ...request, source: nameOf(asked, { catalog, table, dialect }) },
    table: inDialect(table, catalog),
  }
}

function placeOf({ database, schema }: SourceName): string {
  return JSON.stringify([database, schema])
}
