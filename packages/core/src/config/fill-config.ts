import { DIALECTS } from '@stagecraft/dialects'
import type { Config } from '@stagecraft/spec'
import { decideLlm } from '../edit/settings.ts'
import { createRunSettings, settingsFor } from './settings.ts'

/** The configuration as it takes effect: the defaults of preset and backend under what the user says. */
export function fillConfig(config: Config): Config {
  const run = createRunSettings({
    dialect: DIALECTS[config.dialect ?? 'postgres'],
    config,
    project: undefined,
    defaults: {},
  })
  const { naming, options } = settingsFor(run, { database: undefined, schema: undefined, table: '' }, {})
  const backend = config.backend && { ...decideLlm(), ...config.backend }
  return { preset: run.preset.name, ...config, options, naming, ...(backend && { backend }) }
}
