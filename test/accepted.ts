import { type Inference, isAcceptedByAll, suggestionsOf } from '@stagecraft/core/inference'
import type { Config } from '@stagecraft/spec'

/** The configuration with every suggestion that a setting can state, as `suggest --accept all` writes it. */
export function acceptAll(inference: Inference, config: Config = {}): Config {
  return suggestionsOf(inference, config)
    .filter(isAcceptedByAll)
    .reduce<Config>(
      (all, { setting }) => (setting ? (withSetting(all, setting.path, setting.value) as Config) : all),
      config,
    )
}

function withSetting(value: unknown, [key, ...path]: readonly string[], setting: unknown): unknown {
  if (key === undefined) return setting
  const inner = Object(value) as Readonly<Record<string, unknown>>
  return { ...inner, [key]: withSetting(inner[key], path, setting) }
}
