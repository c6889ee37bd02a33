export { cached, type CachedOptions } from './cached.ts'
export {
  scripted,
  SCRIPTED_USAGE,
  type ScriptedAnswer,
  type ScriptedBackend,
  type ScriptedFunction,
  type ScriptedOptions,
} from './scripted.ts'
export { type BreakerOptions, withBreaker } from './with-breaker.ts'
