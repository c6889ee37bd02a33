import { totalTokens } from '@stagecraft/core/run'
import { StagecraftError, type Usage } from '@stagecraft/spec'

/** The bounds of one answer. */
export interface TalkLimits {
  /** The most answers of the model, including the last one. @default 12 */
  readonly turns?: number
  /** The most calls of tools. @default 40 */
  readonly calls?: number
  /** The most tokens, input and output of all turns together. No turn begins beyond them. @default 200_000 */
  readonly tokens?: number
  /** The most tokens of one answer of the model. @default 4096 */
  readonly outputTokens?: number
  /** @default 120 */
  readonly seconds?: number
  /** The highest cost, in the currency of `prices`, which is then required. @default no limit */
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
      expected: 'prices of a million tokens, to compute the cost',
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

/** Returns the bound that leaves room for only one answer without tools; undefined if there is room for more. */
export function lastTurnBy(limits: FilledLimits, spent: Spent): StoppedBy | undefined {
  const { cost, prices } = limits
  if (spent.turns + 1 >= limits.turns) return 'turns'
  if (spent.calls >= limits.calls) return 'calls'
  if (totalTokens(spent.usage) >= limits.tokens * LAST_SHARE) return 'tokens'
  if (spent.milliseconds >= limits.seconds * 1000 * LAST_SHARE) return 'seconds'
  if (cost !== undefined && prices && costOf(spent.usage, prices) >= cost * LAST_SHARE) return 'cost'
  return undefined
}

/** Returns the bound that leaves no room for an answer. */
export function isOverBy(limits: FilledLimits, spent: Spent): StoppedBy | undefined {
  const { cost, prices } = limits
  if (spent.turns >= limits.turns) return 'turns'
  if (totalTokens(spent.usage) >= limits.tokens) return 'tokens'
  if (spent.milliseconds >= limits.seconds * 1000) return 'seconds'
  if (cost !== undefined && prices && costOf(spent.usage, prices) >= cost) return 'cost'
  return undefined
}

/** The share of a bound from which the model must answer, since the answer costs too. */
const LAST_SHARE = 0.75
