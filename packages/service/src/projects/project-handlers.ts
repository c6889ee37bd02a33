import type { API_OPERATIONS, ApiHandlers, Call } from '@stagecraft/spec/api'
import type { Kysely, Transaction } from 'kysely'
import { lockConnection } from '../connections/lock-connection.ts'
import type { ServiceContext } from '../context.ts'
import { toKey } from '../keys/to-key.ts'
import { invalid, notFound, versionConflict } from '../resources/errors.ts'
import type { Database, ProjectRow } from '../store/schema.ts'
import { checkProject } from './check-project.ts'
import { deleteProject } from './delete-project.ts'
import { gitColumns } from './git-settings.ts'
import { insertProject, printConfig } from './insert-project.ts'
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
      const { key, project } = await store.transaction((transaction) =>
        insertProject(transaction, body, context),
      )
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
      return { data: toProject(await store.transaction((transaction) => update(transaction, call, context))) }
    },
    async deleteProject({ caller: { projectId }, ifVersion }) {
      await store.transaction(async (transaction) => {
        assertVersion(await holdProject(transaction, projectId), ifVersion)
        await deleteProject(transaction, projectId)
      })
      return { data: { id: projectId, deleted: true } }
    },
  }
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function readProject(database: Kysely<Database>, projectId: string): Promise<ProjectRow> {
  const row = await database.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
  if (!row) throw notFound('project', projectId)
  return row
}

/**
 * The row of a project, which nobody else changes until the end of the transaction. An update that changes nothing locks it
 * on either engine.
 *
 * @throws {StagecraftError} NOT_FOUND.
 */
async function holdProject(transaction: Transaction<Database>, projectId: string): Promise<ProjectRow> {
  const row = await transaction
    .updateTable('projects')
    .set((project) => ({ version: project.ref('version') }))
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound('project', projectId)
  return row
}

function assertVersion({ version }: ProjectRow, asked: number | undefined): void {
  if (asked !== undefined && asked !== version) throw versionConflict('project', { current: version, asked })
}

type Update = Call<(typeof API_OPERATIONS)['updateProject']>

async function update(
  transaction: Transaction<Database>,
  { body, caller: { projectId }, ifVersion }: Update,
  context: ServiceContext,
): Promise<ProjectRow> {
  // First the connection, as whoever changes or deletes it does; what is held in one order is no deadlock.
  if (body.connectionId) await assertConnection(transaction, projectId, body.connectionId)
  const before = await holdProject(transaction, projectId)
  assertVersion(before, ifVersion)
  const { config, connectionId, dbtVersion, dialect, git, name } = body
  const changes: Partial<ProjectRow> = {
    ...(name !== undefined && { name }),
    ...(dialect !== undefined && { dialect }),
    ...(dbtVersion !== undefined && { dbt_version: dbtVersion }),
    ...(config !== undefined && { config: printConfig(config) }),
    ...(connectionId !== undefined && { connection_id: connectionId }),
    ...(git === null && { git: null, git_secret: null }),
    ...(git && gitColumns(git, { before, cipher: context.cipher, id: projectId })),
  }
  if (isNothing(changes, before)) return before
  const updated_at = await context.store.now(transaction)
  const after = { ...before, ...changes, version: before.version + 1, updated_at }
  await transaction.updateTable('projects').set(after).where('id', '=', projectId).execute()
  return after
}

function isNothing(changes: Partial<ProjectRow>, before: ProjectRow): boolean {
  return Object.entries(changes).every(([name, value]) => before[name as keyof ProjectRow] === value)
}

async function assertConnection(
  transaction: Transaction<Database>,
  projectId: string,
  connectionId: string,
): Promise<void> {
  if (await lockConnection(transaction, { projectId, connectionId })) return
  throw invalid([{ path: 'connectionId', expected: 'a connection of the project', received: connectionId }])
}
