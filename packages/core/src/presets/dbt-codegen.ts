import { dbtLabs } from './dbt-labs.ts'
import type { Preset } from './preset.ts'

/**
 * Reproduces the output of dbt-codegen's macros byte for byte: every column in stored order, in lower case, with no
 * rename, no cast and no test. Names that need quotes are quoted, because dbt-codegen's output for them does not run.
 * Source: github.com/dbt-labs/dbt-codegen 0.14.0.
 */
export const dbtCodegen: Preset = {
  ...dbtLabs,
  name: 'dbt-codegen',
  templates: 'dbt-codegen',
  options: {
    ...dbtLabs.options,
    addTests: false,
    addDocs: false,
    casts: 'none',
    dataTypes: true,
    deletedRows: 'keep',
    duplicates: 'keep',
    loader: 'none',
    freshness: false,
    columnOrder: 'source',
  },
  naming: {
    ...dbtLabs.naming,
    columns: 'lower',
    entity: 'keep',
    tablePrefixes: [],
    prefixWords: [],
    sourcesFile: 'sources.yml',
    types: {
      ...dbtLabs.naming.types,
      staging: { ...dbtLabs.naming.types.staging, yaml: 'schema.yml' },
    },
  },
  typesAsAdapter: true,
}
