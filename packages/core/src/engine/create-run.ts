import type { Generation } from '@stagecraft/spec'
import type { EditedItem, GenerateContext } from '../generate.ts'
import { planApart } from '../generate.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import { type AnswerMeta, answerMeta } from './answer-meta.ts'
import { editItem } from './edit-items.ts'
import type { EngineOptions, RunOptions } from './engine.ts'
import { systemClock } from './ids.ts'

export interface RunSetup extends GenerateContext, Pick<EngineOptions, 'backend' | 'editing' | 'clock'> {}

/** An item with what the backend made of it, and what that cost. */
export interface EditAnswer {
  readonly item: EditedItem
  readonly meta: AnswerMeta
}

/** One table of a run. What is wrong with it leaves the others be. */
export interface RunTable {
  /** @throws {StagecraftError} INVALID_REQUEST or INVALID_SOURCE for what can be told before anything is made. */
  check(): void

  /**
   * Asks the backend about it; without one the item stays as it is.
   *
   * @throws {StagecraftError} As `generate` does; GENERATION_FAILED where `onFailure` is `error` and there was no
   * usable answer.
   */
  edit(options?: RunOptions): Promise<EditAnswer>

  /** @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE or GENERATION_FAILED. */
  generate(): Generation
}

/** Tables that know of each other and are answered for one by one, in the order given. */
export function createRun(
  items: readonly EditedItem[],
  { backend, clock = systemClock, editing, ...context }: RunSetup,
): readonly RunTable[] {
  const tables = planApart(items, context)
  const edit = async (item: EditedItem, plan: PlanContext, signal?: AbortSignal): Promise<EditAnswer> => {
    if (!backend) return { item, meta: answerMeta(undefined, undefined) }
    const { item: edited, report } = await editItem(item, plan, { backend, editing, clock, context, signal })
    return { item: edited, meta: answerMeta(backend, report) }
  }
  return tables.map(({ item, plan, print }) => ({
    check: () => void plan(),
    edit: async ({ signal } = {}) => edit(item, plan(), signal),
    generate: print,
  }))
}
