import type { Preset } from './preset.ts'

/**
 * The dbt Labs style guide.
 * Source: docs.getdbt.com/best-practices/how-we-structure/2-staging and …/how-we-style/1-how-we-style-our-dbt-models.
 */
export const dbtLabs: Preset = {
  name: 'dbt-labs',
  templates: 'dbt-labs',
  typesAsAdapter: false,
  options: {
    casts: 'safe',
    contract: false,
    dataTypes: false,
    deletedRows: 'filter',
    duplicates: 'remove',
    metadataColumns: 'keep',
    loader: 'auto',
    freshness: {
      warnAfter: { count: 24, period: 'hour' },
      errorAfter: { count: 48, period: 'hour' },
    },
    yamlLayout: 'folder',
    columnOrder: 'groups',
    keysAsText: false,
    testReasons: false,
    flatten: 'none',
    leadingCommas: false,
  },
  naming: {
    columns: 'snake',
    ids: true,
    booleans: true,
    timestamps: 'keep',
    dates: 'keep',
    splitting: 'auto',
    customFields: 'drop',
    entity: 'plural',
    entityFrom: [],
    tablePrefixes: ['raw_', 'src_'],
    columnPrefixes: [],
    patterns: {},
    glossary: {},
    renames: {},
    prefixWords: [],
    words: [],
    sourcesFile: '_{source}__sources.yml',
    sourcesFolder: 'models/staging/{source}',
    types: {
      staging: {
        model: 'stg_{source}__{entity}',
        folder: 'models/staging/{source}',
        yaml: '_{source}__models.yml',
      },
      base: {
        model: 'base_{source}__{entity}',
        folder: 'models/staging/{source}/base',
        yaml: '_{source}__base.yml',
      },
      snapshot: {
        model: 'snap_{source}__{entity}',
        folder: 'snapshots/{source}',
        yaml: '_{source}__snapshots.yml',
      },
    },
  },
}
