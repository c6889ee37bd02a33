import { fillConfig } from '@stagecraft/core/run'
import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import { type Change, change } from '../change.ts'
import type { ServiceContext, ServiceSettings } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { toKey } from '../keys/keys.ts'
import type { ProjectRow } from '../store/schema.ts'
import { gitFaults } from './git-faults.ts'
import { gitColumns } from './git-settings.ts'
import { createProject, type NewProject, printConfig } from './insert-project.ts'
import { readProject, toProject } from './project-settings.ts'

type ProjectHandlers = Pick<
  ApiHandlers,
  'createProject' | 'listProjects' | 'getProject' | 'updateProject' | 'deleteProject'
>

/** Creates the handlers of the operations on projects. A key belongs to one project, so a list has one item. */
export function projectHandlers(context: ServiceContext): ProjectHandlers {
  return {
    createProject: (call) => create(context, call),
    listProjects: (call) => list(context, call),
    getProject: (call) => get(context, call),
    updateProject: (call) => update(context, call),
    deleteProject: (call) => remove(context, call),
  }
}

async function create(context: ServiceContext, { body }: CallOf<'createProject'>): ReplyOf<'createProject'> {
  checkProject(body, context.settings)
  const { key, project } = await createProject(body, context)
  return { data: { ...toProject(project), key: { ...toKey(key.row), secret: key.secret } } }
}

async function list({ store }: ServiceContext, { caller }: CallOf<'listProjects'>): ReplyOf<'listProjects'> {
  return { data: { items: [toProject(await readProject(store.db, caller.projectId))] } }
}

async function get({ store }: ServiceContext, { caller }: CallOf<'getProject'>): ReplyOf<'getProject'> {
  return { data: toProject(await readProject(store.db, caller.projectId)) }
}

async function update(context: ServiceContext, call: CallOf<'updateProject'>): ReplyOf<'updateProject'> {
  checkProject(call.body, context.settings)
  const { projectId } = call.caller
  return { data: toProject(await change(context, projectId, (tx) => updateRow(tx, call, context))) }
}

async function remove(
  context: ServiceContext,
  { caller: { projectId }, ifVersion }: CallOf<'deleteProject'>,
): ReplyOf<'deleteProject'> {
  await change(context, projectId, async (tx) => {
    await tx.ownProject({ lock: 'delete', ifVersion })
    await deleteRows(tx)
  })
  return { data: { id: projectId, deleted: true } }
}

type Update = CallOf<'updateProject'>

async function updateRow(
  tx: Change,
  { body, ifVersion }: Update,
  context: ServiceContext,
): Promise<ProjectRow> {
  // Lock the connection first, as in changes and deletions of connections. A fixed order prevents deadlocks.
  if (body.connectionId) await tx.own('connections', body.connectionId, { lock: 'share' })
  const before = await tx.ownProject({ lock: 'update', ifVersion })
  const { config, connectionId, dbtVersion, dialect, git, keepGenerations, name } = body
  const changes: Partial<ProjectRow> = {
    ...(name !== undefined && { name }),
    ...(dialect !== undefined && { dialect }),
    ...(dbtVersion !== undefined && { dbt_version: dbtVersion }),
    ...(config !== undefined && { config: printConfig(config) }),
    ...(connectionId !== undefined && { connection_id: connectionId }),
    ...(keepGenerations !== undefined && { keep_generations: keepGenerations }),
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

/** Deletes a project and its data. Most rows are deleted by foreign keys, the others here. */
async function deleteRows({ db, projectId }: Change): Promise<void> {
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

type Checked = {
  readonly [Name in 'config' | 'dbtVersion' | 'git']?: NewProject[Name] | null | undefined
}

/** @throws {StagecraftError} INVALID_REQUEST for faults beyond the schemas. */
function checkProject({ config, dbtVersion, git }: Checked, settings: ServiceSettings): void {
  // Otherwise each generation would fail, far from the person who set them.
  fillConfig({ ...config, ...(typeof dbtVersion === 'string' && { dbtVersion }) })
  const [first, ...others] = git ? gitFaults(git, settings) : []
  if (first) throw StagecraftError.invalid([first, ...others])
}
