import { setTimeout as pause } from 'node:timers/promises'
import { type Catalog, StagecraftError } from '@stagecraft/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectionFailed } from '../store/errors/store-failure.ts'
import { CatalogCache, type CatalogCacheOptions } from './catalog-cache.ts'

interface Opened {
  readonly id: string
  isClosed: boolean
}

/** A cache over catalogs that count how often they were opened and closed. */
function setUp(options: Partial<CatalogCacheOptions> = {}) {
  const warn = vi.fn<CatalogCacheOptions['logger']['warn']>()
  const cache = new CatalogCache({ logger: { warn }, ...options })
  onTestFinished(() => cache.close())
  const opened: Opened[] = []
  const open = (id: string) => async (): Promise<Catalog> => {
    const entry = { id, isClosed: false }
    opened.push(entry)
    await pause(5)
    return {
      dialect: undefined,
      tables: async () => [],
      describe: () => Promise.reject(new Error('none')),
      close: async () => void (entry.isClosed = true),
    }
  }
  const connection = (id: string, state: string | undefined = '1', idleMs = 60_000) => ({
    connectionId: id,
    state,
    idleMs,
    open: open(id),
  })
  return { cache, connection, opened, warn }
}

const failure = () => new StagecraftError('CONNECTION_FAILED', 'the server closed the connection')

test('shares one opening between those who ask at once, and those who come later', async () => {
  const { cache, connection, opened } = setUp()
  const work = () => cache.use(connection('a'), async (catalog) => catalog)
  const [first, ...others] = await Promise.all([work(), work(), work()])
  expect(new Set([first, ...others, await work()]).size).toBe(1)
  expect(opened).toEqual([{ id: 'a', isClosed: false }])
})

test('opens another state anew, and closes the one before', async () => {
  const { cache, connection, opened } = setUp()
  await cache.use(connection('a', '1'), async () => 1)
  await cache.use(connection('b', '1'), async () => 1)
  await cache.use(connection('a', '2'), async () => 1)
  await expect.poll(() => opened.map(({ isClosed }) => isClosed)).toEqual([true, false, false])
})

test('shares what has no state with nobody', async () => {
  const { cache, connection, opened } = setUp()
  const stateless = { ...connection('a'), state: undefined }
  await Promise.all([cache.use(stateless, () => pause(5)), cache.use(stateless, () => pause(5))])
  await expect.poll(() => opened.map(({ isClosed }) => isClosed)).toEqual([true, true])
})

test('closes what is idle, and not what is in use', async () => {
  const { cache, connection, opened } = setUp()
  await cache.use(connection('a', '1', 10), async () => {
    await pause(40)
    expect(opened[0]?.isClosed).toBe(false)
  })
  await expect.poll(() => opened[0]?.isClosed).toBe(true)
})

test('a dropped one serves its users to the end', async () => {
  const { cache, connection, opened } = setUp()
  await cache.use(connection('a'), async () => {
    cache.drop('a')
    await pause(10)
    expect(opened[0]?.isClosed).toBe(false)
  })
  await expect.poll(() => opened[0]?.isClosed).toBe(true)
})

test('does the work once more when one broke that had been open', async () => {
  const { cache, connection, opened } = setUp()
  await cache.use(connection('a'), async () => 1)
  const work = vi.fn<() => Promise<string>>().mockRejectedValueOnce(failure()).mockResolvedValueOnce('done')
  expect(await cache.use(connection('a'), work)).toBe('done')
  expect(opened).toHaveLength(2)
})

test('gives up when the new one fails as well, and when it was new', async () => {
  const { cache, connection, opened } = setUp()
  const work = vi.fn<() => Promise<string>>().mockImplementation(() => Promise.reject(failure()))
  await expect(cache.use(connection('a'), work)).rejects.toThrow('closed the connection')
  expect(work).toHaveBeenCalledTimes(1)
  await cache.use(connection('a'), async () => 1)
  await expect(cache.use(connection('a'), work)).rejects.toThrow('closed the connection')
  expect(work).toHaveBeenCalledTimes(3)
  expect(opened).toHaveLength(3)
})

test('keeps it open after errors that are not its own', async () => {
  const { cache, connection, opened } = setUp()
  await cache.use(connection('a'), async () => 1)
  for (const error of [new StagecraftError('INVALID_SOURCE', 'no'), connectionFailed('the disk is full')])
    await expect(cache.use(connection('a'), () => Promise.reject(error))).rejects.toBe(error)
  expect(opened).toHaveLength(1)
})

test('an opening that fails fails all who wait for it, and is tried again by the next', async () => {
  const { cache, connection } = setUp()
  const open = vi.fn<() => Promise<Catalog>>(async () => {
    await pause(5)
    throw failure()
  })
  const use = () => cache.use({ ...connection('a'), open }, async () => 1)
  expect((await Promise.allSettled([use(), use()])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  expect(open).toHaveBeenCalledTimes(1)
  expect(await cache.use(connection('a'), async () => 1)).toBe(1)
})

test('has no more open than it may: it ends what is idle, then makes others wait', async () => {
  const { cache, connection, opened } = setUp({ most: 2 })
  await cache.use(connection('a'), async () => 1)
  await cache.use(connection('b'), async () => 1)
  await cache.use(connection('a'), async () => 1)
  let most = 0
  const work = async () => {
    await pause(10)
    most = Math.max(most, opened.filter(({ isClosed }) => !isClosed).length)
  }
  await Promise.all(['c', 'd', 'e', 'f', 'c'].map((id) => cache.use(connection(id), work)))
  expect(most).toBeLessThanOrEqual(2)
  expect(opened.map(({ id }) => id).join('')).toBe('abcdef')
})

test('closing waits for those in use', async () => {
  const { cache, connection, opened } = setUp()
  const used = cache.use(connection('a'), () => pause(30))
  await pause(10)
  await cache.close()
  expect(opened[0]?.isClosed).toBe(true)
  await used
})

test('tells that one could not be closed, without what its driver says', async () => {
  const { cache, connection, warn } = setUp()
  const open = async (): Promise<Catalog> => ({
    ...(await connection('a').open()),
    close: () => Promise.reject(new Error('canary')),
  })
  await cache.use({ ...connection('a'), open }, async () => 1)
  await cache.close()
  expect(warn).toHaveBeenCalledWith({ connectionId: 'a', reason: 'Error' }, 'could not close a catalog')
})
