import { StagecraftError } from '@stagecraft/spec'
import type { API_OPERATIONS, ApiHandlers, Call } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { toKey } from '../keys/to-key.ts'
import type { Database, ProjectRow } from '../store/schema.ts'
import { checkProject } from './check-project.ts'
import { gitColumns } from './git-settings.ts'
import { createProject, printConfig } from './insert-project.ts'
import { toProject } from './to-project.ts'

type ProjectHandlers = Pick<
  ApiHandlers,
  'createProject' | 'listProjects' | 'getProject' | 'updateProject' | 'deleteProject'
>

/** The operations on projects. A key opens one, so a list has one item. */
export function projectHandlers(context: ServiceContext): ProjectHandlers {
  const { store } = context
  return {
    async createProject({ body }) {
      checkProject(body, context.settings)
      const { key, project } = await createProject(body, context)
      return { data: { ...toProject(project), key: { ...toKey(key.row), secret: key.secret } } }
    },
    async listProjects({ caller }) {
      return { data: { items: [toProject(await readProject(store.db, caller.projectId))] } }
    },
    async getProject({ caller }) {
      return { data: toProject(await readProject(store.db, caller.projectId)) }
    },
    async updateProject(call) {
      checkProject(call.body, context.settings)
      const { projectId } = call.caller
      return { data: toProject(await change(context, projectId, (tx) => update(tx, call, context))) }
    },
    async deleteProject({ caller: { projectId }, ifVersion }) {
      await change(context, projectId, async (tx) => {
        await tx.ownProject({ lock: 'delete', ifVersion })
        await deleteProject(tx)
      })
      return { data: { id: projectId, deleted: true } }
    },
  }
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function readProject(database: Kysely<Database>, projectId: string): Promise<ProjectRow> {
  const row = await database.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('project', projectId)
  return row
}

type Update = Call<(typeof API_OPERATIONS)['updateProject']>

async function update(tx: Change, { body, ifVersion }: Update, context: ServiceContext): Promise<ProjectRow> {
  // First the connection, as whoever changes or deletes it does; a fixed order leaves no room for a deadlock.
  if (body.connectionId) await tx.own('connections', body.connectionId, { lock: 'share' })
  const before = await tx.ownProject({ lock: 'update', ifVersion })
  const { config, connectionId, dbtVersion, dialect, git, name } = body
  const changes: Partial<ProjectRow> = {
    ...(name !== undefined && { name }),
    ...(dialect !== undefined && { dialect }),
    ...(dbtVersion !== undefined && { dbt_version: dbtVersion }),
    ...(config !== undefined && { config: printConfig(config) }),
    ...(connectionId !== undefined && { connection_id: connectionId }),
    ...(git === null && { git: null, git_secret: null }),
    ...(git && gitColumns(git, { before, cipher: context.cipher, id: tx.projectId })),
  }
  if (isNothing(changes, before)) return before
  const updated_at = await tx.now()
  const after = { ...before, ...changes, version: before.version + 1, updated_at }
  await tx.db.updateTable('projects').set(after).where('id', '=', tx.projectId).execute()
  return after
}

function isNothing(changes: Partial<ProjectRow>, before: ProjectRow): boolean {
  return Object.entries(changes).every(([name, value]) => before[name as keyof ProjectRow] === value)
}

/** Deletes a project and what it holds: most of it goes with its row, and what has no foreign keys goes here. */
async function deleteProject({ db, projectId }: Change): Promise<void> {
  // Deliveries have no index by project.
  const webhooks = db.selectFrom('webhooks').select('id').where('project_id', '=', projectId)
  await db
    .deleteFrom('attempts')
    .where('delivery_id', 'in', (from) =>
      from.selectFrom('deliveries').select('id').where('webhook_id', 'in', webhooks),
    )
    .execute()
  await db.deleteFrom('deliveries').where('webhook_id', 'in', webhooks).execute()
  await db.deleteFrom('events').where('project_id', '=', projectId).execute()
  await db
    .deleteFrom('idempotency_keys')
    .where('holder_id', 'in', (from) =>
      from.selectFrom('api_keys').select('id').where('project_id', '=', projectId),
    )
    .execute()
  await db.deleteFrom('projects').where('id', '=', projectId).execute()
}
