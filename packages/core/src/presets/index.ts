import type { PresetName } from '@stagecraft/spec'
import { dbtCodegen } from './dbt-codegen.ts'
import { dbtLabs } from './dbt-labs.ts'
import { fivetran } from './fivetran.ts'
import type { Preset } from './preset.ts'

export const PRESETS = {
  'dbt-labs': dbtLabs,
  fivetran,
  'dbt-codegen': dbtCodegen,
} satisfies Readonly<Record<PresetName, Preset>>
