import {
  type Catalog,
  type GenerationRequest,
  generationRequestSchema,
  StagecraftError,
} from '@stagecraft/spec'
import { validate } from '@stagecraft/spec/validate'
import type { GenerateContext, GenerateItem } from '../run/run-item.ts'
import { resolveDialect } from '../config/settings.ts'
import { readTables } from './read-tables.ts'

export interface ReadRequestsOptions extends GenerateContext {
  readonly catalog: Catalog
  /** Stops between two queries. */
  readonly signal?: AbortSignal | undefined
}

/** A request with its table, or why it has none. */
export type ReadRequest = { readonly item: GenerateItem } | { readonly error: StagecraftError }

/**
 * Reads the table of a request; its source is then spelled as stored.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a faulty request, INVALID_SOURCE, CONNECTION_FAILED.
 */
export async function readRequest(
  request: GenerationRequest,
  options: ReadRequestsOptions,
): Promise<GenerateItem> {
  const [only] = await readRequests([request], options)
  if (only && 'item' in only) return only.item
  throw only?.error ?? new StagecraftError('INVALID_SOURCE', `nothing was read for ${request.source}`)
}

/**
 * Reads the table of each request. Tables of one schema are read together, and a failure does not affect the others.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when the catalog cannot be read.
 */
export async function readRequests(
  requests: readonly GenerationRequest[],
  { catalog, signal, ...context }: ReadRequestsOptions,
): Promise<readonly ReadRequest[]> {
  const dialect = resolveDialect(context, catalog)
  const checked = requests.map(check)
  const texts = checked.flatMap((one) => ('request' in one ? one.request.source : []))
  const { outcomes } = await readTables(catalog, texts, { dialect, exact: true, keepsGoing: true, signal })
  signal?.throwIfAborted()
  const rest = outcomes.values()
  return checked.map((one): ReadRequest => {
    if ('error' in one) return one
    const outcome = rest.next().value
    if (outcome && 'error' in outcome) return outcome
    const [only] = outcome?.tables ?? []
    if (!only) return { error: new StagecraftError('INVALID_SOURCE', `there is no ${one.request.source}`) }
    return { item: { request: { ...one.request, source: only.name }, table: only.table } }
  })
}

type Checked = { readonly request: GenerationRequest } | { readonly error: StagecraftError }

function check(request: GenerationRequest): Checked {
  try {
    return { request: validate(generationRequestSchema, request, 'the request') }
  } catch (error) {
    if (error instanceof StagecraftError) return { error }
    throw error
  }
}
