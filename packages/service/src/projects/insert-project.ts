import { randomUUID } from 'node:crypto'
import { type Config, StagecraftError } from '@stagecraft/spec'
import { type API_OPERATIONS, type Call, SCOPES } from '@stagecraft/spec/api'
import { type Change, change, type ChangeContext } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { type InsertedKey, insertKey } from '../keys/keys.ts'
import type { ProjectRow } from '../store/schema.ts'
import { gitColumns } from './git-settings.ts'

export type NewProject = Call<(typeof API_OPERATIONS)['createProject']>['body']

interface InsertProjectSetup extends Pick<ServiceContext, 'cipher' | 'newKey'> {
  /** A key that the operator chose for it. Default: a new one. */
  readonly firstKey?: string | undefined
}

interface InsertedProject {
  readonly project: ProjectRow
  /** Has all scopes. */
  readonly key: InsertedKey
}

/** Creates a project and its first key. */
export async function createProject(
  body: NewProject,
  context: InsertProjectSetup & ChangeContext,
): Promise<InsertedProject> {
  return await change(context, context.ids.next('proj'), (tx) => insertProject(tx, body, context))
}

/** Writes the project of a change and its first key. */
async function insertProject(
  tx: Change,
  { config = {}, dbtVersion, dialect, git, keepGenerations, name }: NewProject,
  context: InsertProjectSetup,
): Promise<InsertedProject> {
  const id = tx.projectId
  const now = await tx.now()
  const project: ProjectRow = {
    id,
    name,
    dialect: dialect ?? null,
    dbt_version: dbtVersion ?? null,
    config: printConfig(config),
    connection_id: null,
    git: null,
    git_secret: null,
    keep_generations: keepGenerations ?? null,
    ...(git && gitColumns(git, { cipher: context.cipher, id })),
    version: 1,
    created_at: now,
    updated_at: now,
  }
  await tx.db.insertInto('projects').values(project).execute()
  const key = await insertKey(tx, { name: 'first', scopes: SCOPES, secret: context.firstKey }, context)
  return { project, key }
}

const LONGEST_CONFIG = 256 * 1024

/** @throws {StagecraftError} INVALID_REQUEST for a configuration that is too long. */
export function printConfig(config: Config): string {
  const text = JSON.stringify(config)
  if (text.length <= LONGEST_CONFIG) return text
  const expected = `at most ${LONGEST_CONFIG} characters of JSON`
  const received = String(text.length)
  throw StagecraftError.invalid({ path: 'config', expected, received })
}

const NAME = 'first_project'

export interface FirstProjectOptions {
  /** The name of the project. */
  readonly name: string
  /** A key that the operator chose for it. Default: a new one. */
  readonly key?: string | undefined
}

/**
 * Creates the first project of an empty store exactly once, even if several processes start on it.
 *
 * @returns Undefined if the store already had its first project.
 */
export async function ensureFirstProject(
  { key, name }: FirstProjectOptions,
  context: ServiceContext,
): Promise<InsertedProject | undefined> {
  const mark = randomUUID()
  return await change(context, context.ids.next('proj'), async (tx) => {
    const inserted = await tx.db
      .insertInto('settings')
      .values({ name: NAME, value: mark })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('value')
      .executeTakeFirst()
    if (!inserted) return undefined
    return await insertProject(tx, { name }, { ...context, firstKey: key })
  })
}
