import { StagecraftError } from '@stagecraft/spec'
import type { KeyResource, ProjectResource, Scope } from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { toProject } from '../projects/project-settings.ts'
import { type InsertedKey, insertKey, toKey } from './insert-key.ts'

// Operations on keys for those who have the store itself: they need no key.

export interface ProjectKeyRequest {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | undefined
  /** Default: the only project. */
  readonly projectId: string | undefined
}

/** @throws {StagecraftError} NOT_FOUND for an unknown project; INVALID_REQUEST when there are several to choose from. */
export async function createProjectKey(
  { expiresAt, name, projectId, scopes }: ProjectKeyRequest,
  context: ServiceContext,
): Promise<InsertedKey & { readonly project: ProjectResource }> {
  const id = projectId ?? (await onlyProject(context.store.db))
  return await change(context, id, async (tx) => {
    const project = toProject(await tx.ownProject())
    if (expiresAt !== undefined && expiresAt <= (await tx.now())) {
      const received = new Date(expiresAt).toISOString()
      throw StagecraftError.invalid([{ path: 'expires', expected: 'a time in the future', received }])
    }
    const inserted = await insertKey(tx, { name, scopes, expiresAt }, context)
    return { ...inserted, project }
  })
}

async function onlyProject(database: ServiceContext['store']['db']): Promise<string> {
  const rows = await database
    .selectFrom('projects')
    .select(['id', 'name'])
    .orderBy('created_at')
    .limit(20)
    .execute()
  const [first, ...others] = rows
  if (!first) {
    throw StagecraftError.invalid([
      { path: 'project', expected: 'a store with a project: run stagecraft serve', received: 'none' },
    ])
  }
  if (others.length === 0) return first.id
  const names = rows.map(({ id, name }) => `${id} (${name})`).join(', ')
  throw StagecraftError.invalid([{ path: 'project', expected: `one of ${names}`, received: 'none' }])
}

/** Every key of every project, the oldest first. */
export async function listAllKeys({
  store,
}: Pick<ServiceContext, 'store'>): Promise<
  readonly { readonly key: KeyResource; readonly project: { readonly id: string } }[]
> {
  const rows = await store.db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => ({ key: toKey(row), project: { id: row.project_id } }))
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function revokeAnyKey(id: string, { store }: Pick<ServiceContext, 'store'>): Promise<void> {
  await store.transaction(async (transaction) => {
    const row = await transaction
      .selectFrom('api_keys')
      .select('revoked_at')
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) throw StagecraftError.unknownId('key', id)
    if (row.revoked_at !== null) return
    const revoked_at = await store.now(transaction)
    await transaction.updateTable('api_keys').set({ revoked_at }).where('id', '=', id).execute()
  })
}
