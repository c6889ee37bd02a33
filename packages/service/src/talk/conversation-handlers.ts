import { StagecraftError } from '@stagecraft/spec'
import type { Caller, ConversationResource } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { toIso } from '../resources/job-members.ts'
import { page } from '../store/page.ts'
import type { Database } from '../store/schema.ts'
import type { ConversationRow } from '../store/talk-rows.ts'

/** Returns true for the key that started something, and for keys that may read all secrets of the project. */
export function mayOpen(caller: Caller, keyId: string): boolean {
  return caller.keyId === keyId || caller.scopes.includes('admin')
}

/**
 * Reads a conversation that the key may open. Knowing an id is not a permission.
 *
 * @throws {StagecraftError} NOT_FOUND, also for a conversation of another key.
 */
export async function openConversation(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
): Promise<ConversationRow> {
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', caller.projectId)
    .executeTakeFirst()
  if (row && mayOpen(caller, row.key_id)) return row
  throw StagecraftError.unknownId('conversation', id)
}

export async function createConversation(
  context: ServiceContext,
  { body, caller }: CallOf<'createConversation'>,
): ReplyOf<'createConversation'> {
  const row = await change(context, caller.projectId, async (tx) => {
    const now = await tx.now()
    const conversation: ConversationRow = {
      id: tx.ids.next('conv'),
      project_id: caller.projectId,
      key_id: caller.keyId,
      title: body.title ?? null,
      messages: 0,
      created_at: now,
      updated_at: now,
    }
    await tx.db.insertInto('conversations').values(conversation).execute()
    return conversation
  })
  return { data: toConversation(row) }
}

export async function listConversations(
  { store }: ServiceContext,
  { caller, query }: CallOf<'listConversations'>,
): ReplyOf<'listConversations'> {
  const conversations = store.db
    .selectFrom('conversations')
    .selectAll()
    .where('project_id', '=', caller.projectId)
    .$if(!caller.scopes.includes('admin'), (some) => some.where('key_id', '=', caller.keyId))
  const { nextCursor, rows } = await page(conversations, query)
  return { data: { items: rows.map(toConversation) }, nextCursor }
}

export async function getConversation(
  { store }: ServiceContext,
  { caller, params: { conversationId } }: CallOf<'getConversation'>,
): ReplyOf<'getConversation'> {
  return { data: toConversation(await openConversation(store.db, caller, conversationId)) }
}

/** Deletes its messages as well. A worker on one of them loses its lease and writes nothing more. */
export async function deleteConversation(
  context: ServiceContext,
  { caller, params: { conversationId } }: CallOf<'deleteConversation'>,
): ReplyOf<'deleteConversation'> {
  await change(context, caller.projectId, async (tx) => {
    await openConversation(tx.db, caller, conversationId)
    await tx.db.deleteFrom('conversations').where('id', '=', conversationId).execute()
    tx.wakeAfter('jobs')
  })
  return { data: { id: conversationId, deleted: true } }
}

function toConversation(row: ConversationRow): ConversationResource {
  return {
    id: row.id,
    ...(row.title !== null && { title: row.title }),
    keyId: row.key_id,
    messages: row.messages,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}
