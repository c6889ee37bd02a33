import { StagecraftError } from '@stagecraft/spec'
import { connectionFailed } from '../transport/connection-failed.ts'
import type { ApiMeta } from './operation-answer.ts'

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page; undefined on the last page. */
  readonly nextCursor: string | undefined
  readonly meta: ApiMeta
}

/**
 * A list of the service, newest first. Nothing is requested until it is read, and each iteration requests
 * again.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** Returns one page: the first, or the one at a cursor. */
  page(options?: { readonly cursor?: string | undefined }): Promise<Page<Item>>
  /** Returns all items, or the first `limit` of them. */
  all(options?: { readonly limit?: number | undefined }): Promise<Item[]>
}

export interface ListOptions<Item> {
  /** Gets a page: the first of the query, or the one at a cursor. */
  readonly getPage: (cursor: string | undefined) => Promise<Page<Item>>
  /** The base address, for errors. */
  readonly host: string
}

export function createList<Item>({ getPage, host }: ListOptions<Item>): List<Item> {
  async function* items(): AsyncGenerator<Item> {
    const seen = new Set<string>()
    for (let cursor: string | undefined; ;) {
      const page = await getPage(cursor)
      yield* page.items
      cursor = page.nextCursor
      if (cursor === undefined) return
      if (seen.has(cursor))
        throw connectionFailed(host, 'got the same page twice, so the list would never end')
      seen.add(cursor)
    }
  }
  return {
    [Symbol.asyncIterator]: items,
    page: ({ cursor } = {}) => getPage(cursor),
    all: ({ limit } = {}) => take(items(), limit),
  }
}

async function take<Item>(items: AsyncIterable<Item>, limit = Infinity): Promise<Item[]> {
  if (!(limit >= 1))
    throw StagecraftError.invalid([{ path: 'limit', expected: 'a number from 1', received: String(limit) }])
  const taken: Item[] = []
  for await (const item of items) {
    taken.push(item)
    if (taken.length >= limit) break
  }
  return taken
}
