import { randomUUID } from 'node:crypto'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { type InsertedProject, insertProject } from './insert-project.ts'

const NAME = 'first_project'

export interface FirstProjectOptions {
  readonly name: string
  /** A key that somebody chose for it. Default: a fresh one. */
  readonly key?: string | undefined
}

/**
 * Makes the first project of an empty store, once, however many processes begin on it.
 *
 * @returns Undefined when the store had its first project.
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
