import { dbtLabs } from './dbt-labs.ts'
import type { Preset } from './preset.ts'

/**
 * The shape of Fivetran's own dbt packages: `base`, `fields` and `final`, models in the singular of the
 * connector's tables, `src_` and `stg_` YAML files, three days of freshness.
 * Source: github.com/fivetran/dbt_stripe, dbt_shopify and dbt_quickbooks.
 */
export const fivetran: Preset = {
  ...dbtLabs,
  name: 'fivetran',
  templates: 'fivetran',
  options: {
    ...dbtLabs.options,
    columnOrder: 'source',
    freshness: {
      warnAfter: { count: 72, period: 'hour' },
      errorAfter: { count: 168, period: 'hour' },
    },
  },
  naming: {
    ...dbtLabs.naming,
    entity: 'singular',
    sourcesFile: 'src_{source}.yml',
    types: {
      ...dbtLabs.naming.types,
      staging: { ...dbtLabs.naming.types.staging, yaml: 'stg_{source}.yml' },
    },
  },
}
