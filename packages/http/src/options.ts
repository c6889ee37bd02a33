import { type Clock, type Ids, systemClock, timeSortedIds } from '@stagecraft/spec'
import type { AdmissionSetup } from './admission/admit.ts'
import type { GenerateSetup } from './generate/handle-generate.ts'
import type { GenerationEngine } from './ports/engine.ts'
import type { Keys } from './ports/keys.ts'
import { type Logger, SILENT } from './ports/logger.ts'
import type { RateLimiter } from './ports/rate-limiter.ts'

export interface Limits {
  /**
   * The longest body, in bytes.
   *
   * @default 1_048_576
   */
  readonly bodyBytes?: number
  /**
   * The time limit of a generation. A generation that exceeds it is aborted and fails with
   * GENERATION_FAILED. Default: no limit.
   */
  readonly deadlineMs?: number
  /** The rate limit of a key: `memoryRateLimiter({ requests: 600, seconds: 60 })`. Default: no limit. */
  readonly rate?: RateLimiter
}

/** The options that both bindings share. */
export interface BindingOptions {
  /** The engine that generates. */
  readonly engine: GenerationEngine
  /** The keys that are accepted: `staticKeys([{ name: 'ci', key }])`. */
  readonly keys: Keys
  /** The limits for requests. @default those of `Limits` */
  readonly limits?: Limits
  /** The source of request ids. Default: random, sorted by time. */
  readonly ids?: Ids
  /** Default: the machine's clock. */
  readonly clock?: Clock
}

/** The same options with every default filled in. */
export interface Setup extends AdmissionSetup, GenerateSetup {
  readonly bodyBytes: number
  readonly clock: Clock
  readonly ids: Ids
}

export function fillOptions(
  { clock = systemClock, engine, ids = timeSortedIds(clock), keys, limits = {} }: BindingOptions,
  logger: Logger = SILENT,
): Setup {
  const { bodyBytes = 1_048_576, deadlineMs, rate } = limits
  return { engine, keys, clock, ids, logger, bodyBytes, deadlineMs, rate }
}
