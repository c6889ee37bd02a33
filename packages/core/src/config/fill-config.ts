import type { Config } from '@stagecraft/spec'
import { createRunSettings, settingsFor } from './settings.ts'

/** The configuration as it takes effect: the preset's options and naming under the user's own. */
export function fillConfig(config: Config): Config {
  const run = createRunSettings({
    dialect: config.dialect ?? 'postgres',
    config,
    project: undefined,
    defaults: {},
  })
  const { naming, options } = settingsFor(run, { database: undefined, schema: undefined, table: '' }, {})
  return { preset: run.preset.name, ...config, options, naming }
}
