import { expect, onTestFinished } from 'vitest'
import type { ServiceSettings } from '../../packages/service/src/context.ts'
import { makeRepository, type TestRepository } from '../../packages/service/src/git/testing/repositories.ts'
import type { OpenStore } from './each-store.ts'
import { openShop, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'

export interface GitShopOptions {
  /** @default a README */
  readonly files?: Readonly<Record<string, string>>
  /** Git settings of the project besides remote and author. */
  readonly git?: object
  readonly settings?: Partial<ServiceSettings>
  /** @default one of three tables */
  readonly warehouse?: string
}

/** A shop that pushes to a repository of its own, which has the files. */
export async function openShopWithGit(
  open: OpenStore,
  { files = { 'README.md': 'of a human\n' }, git = {}, settings = {}, warehouse }: GitShopOptions = {},
): Promise<{ readonly repository: TestRepository; readonly shop: Shop }> {
  const repository = makeRepository(onTestFinished)
  repository.commit(files)
  const shop = await openShop(open, { settings, ...(warehouse !== undefined && { warehouse }) })
  const author = { authorName: 'Ann', authorEmail: 'ann@example.com' }
  const body = { git: { remote: repository.folder, ...author, ...git } }
  const { projectId } = shop.caller
  await shop.handlers.updateProject(callOf(shop.caller, { params: { projectId }, body }))
  return { repository, shop }
}

export async function createPush({ caller, handlers }: Shop, more: object = {}): Promise<string> {
  const body = { branch: 'stagecraft', message: 'Staging models', ...more }
  return (await handlers.createPush(callOf(caller, { body }))).data.id
}

export async function getPush({ caller, handlers }: Shop, pushId: string) {
  return (await handlers.getPush(callOf(caller, { params: { pushId } }))).data
}

export async function untilEnded(shop: Shop, pushId: string) {
  await expect
    .poll(async () => (await getPush(shop, pushId)).state)
    .toMatch(/^(?:completed|failed|cancelled)$/)
  return await getPush(shop, pushId)
}

export async function unitOf({ caller, handlers }: Shop, source: string): Promise<string> {
  const { data } = await handlers.listUnits(callOf(caller, { query: { limit: 5, source } }))
  return data.items[0]?.id ?? ''
}

export async function deleteUnit(shop: Shop, source: string): Promise<void> {
  const unitId = await unitOf(shop, source)
  await shop.handlers.deleteUnit(callOf(shop.caller, { params: { unitId } }))
}
