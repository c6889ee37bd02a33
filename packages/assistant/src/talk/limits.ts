import { totalTokens } from '@stagecraft/core/run'
import { StagecraftError, type Usage } from '@stagecraft/spec'

/** The bounds of one answer. */
export interface TalkLimits {
  /** Answers of the model, the last one included. @default 12 */
  readonly turns?: number
  /** Calls of tools. @default 40 */
  readonly calls?: number
  /** Tokens read and written, all turns together. No further turn begins beyond them. @default 200_000 */
  readonly tokens?: number
  /** Tokens of one answer of the model. @default 4096 */
  readonly outputTokens?: number
  /** @default 120 */
  readonly seconds?: number
  /** The most that it may cost, in the currency of `prices`, which it needs. @default no limit */
  readonly cost?: number
  /** The prices of a million tokens. Cached tokens count in full. */
  readonly prices?: Prices
}

export interface Prices {
  readonly input: number
  readonly output: number
}

export type FilledLimits = Required<Omit<TalkLimits, 'cost' | 'prices'>> & Pick<TalkLimits, 'cost' | 'prices'>

/** The bounds that end a conversation with the tools. */
export type StoppedBy = 'turns' | 'calls' | 'tokens' | 'seconds' | 'cost'

/** @throws {StagecraftError} INVALID_REQUEST for a cost without prices. */
export function fillLimits(limits: TalkLimits = {}): FilledLimits {
  if (limits.cost !== undefined && limits.prices === undefined)
    throw StagecraftError.invalid({
      path: 'limits.prices',
      expected: 'prices of a million tokens, to count a cost',
      received: 'none',
    })
  return { turns: 12, calls: 40, tokens: 200_000, outputTokens: 4096, seconds: 120, ...limits }
}

function costOf({ input, output }: Usage, prices: Prices): number {
  return (input * prices.input + output * prices.output) / 1_000_000
}

export interface Spent {
  readonly turns: number
  readonly calls: number
  readonly usage: Usage
  readonly milliseconds: number
}

/** Returns the bound that leaves no more than one answer without tools; undefined while there is room for more. */
export function lastTurnBy(limits: FilledLimits, spent: Spent): StoppedBy | undefined {
  const { cost, prices } = limits
  if (spent.turns + 1 >= limits.turns) return 'turns'
  if (spent.calls >= limits.calls) return 'calls'
  if (totalTokens(spent.usage) >= limits.tokens * LAST_SHARE) return 'tokens'
  if (spent.milliseconds >= limits.seconds * 1000 * LAST_SHARE) return 'seconds'
  if (cost !== undefined && prices && costOf(spent.usage, prices) >= cost * LAST_SHARE) return 'cost'
  return undefined
}

/** Returns the bound that leaves nothing at all. */
export function isOverBy(limits: FilledLimits, spent: Spent): StoppedBy | undefined {
  const { cost, prices } = limits
  if (spent.turns >= limits.turns) return 'turns'
  if (totalTokens(spent.usage) >= limits.tokens) return 'tokens'
  if (spent.milliseconds >= limits.seconds * 1000) return 'seconds'
  if (cost !== undefined && prices && costOf(spent.usage, prices) >= cost) return 'cost'
  return undefined
}

/** From this share of a bound on, the model has to answer: the answer costs as well. */
const LAST_SHARE = 0.75
