import { StagecraftError } from '@stagecraft/spec'
import { type Kysely, sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { Database } from '../store/schema.ts'
import { readSettings } from './stored-settings.ts'

const DAY_MS = 24 * 60 * 60_000

type StoreOf = Pick<ServiceContext, 'store'>

export async function tokensToday({ store }: StoreOf, projectId: string): Promise<number> {
  const day = Math.floor((await store.now()) / DAY_MS)
  const row = await store.db
    .selectFrom('assistant_usage')
    .select('tokens')
    .where('project_id', '=', projectId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.tokens ?? 0
}

/** Counts tokens for the current day of the database's clock, even if the conversation is deleted. */
export async function addTokens(
  db: Kysely<Database>,
  { now, projectId, tokens }: { readonly projectId: string; readonly tokens: number; readonly now: number },
): Promise<void> {
  if (tokens === 0) return
  await db
    .insertInto('assistant_usage')
    .values({ project_id: projectId, day: Math.floor(now / DAY_MS), tokens })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'day'])
        .doUpdateSet({ tokens: sql<number>`assistant_usage.tokens + ${tokens}` }),
    )
    .execute()
}

/** Returns the tokens left for the day; undefined without a budget. */
export async function tokensLeft(context: StoreOf, projectId: string): Promise<number | undefined> {
  const { tokens_per_day } = await readSettings(context.store.db, projectId)
  if (tokens_per_day === null) return undefined
  return Math.max(0, tokens_per_day - (await tokensToday(context, projectId)))
}

/** @throws {StagecraftError} RATE_LIMITED if the budget of the day is used up. */
export async function assertBudget(context: StoreOf, projectId: string): Promise<void> {
  if ((await tokensLeft(context, projectId)) !== 0) return
  const suggestion = 'try again tomorrow (UTC), or raise tokensPerDay'
  throw new StagecraftError('RATE_LIMITED', `today's tokens are used up; ${suggestion}`, {
    details: { reason: 'token_budget', suggestion },
  })
}
