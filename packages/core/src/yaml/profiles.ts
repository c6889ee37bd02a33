import type { Version } from './dbt-versions.ts'

/** The form of property files for a range of dbt versions. */
export interface YamlProfile {
  readonly name: 'modern' | 'legacy-1.9' | 'legacy-1.8'
  /** The first dbt version that reads it. */
  readonly since: Version
  /** Arguments of a generic test stand under `arguments:`. */
  readonly testArguments: boolean
  /** `meta` and `tags` of sources, tables and columns stand under `config:`. */
  readonly metaInConfig: boolean
  readonly freshnessInConfig: boolean
  readonly loadedAtInConfig: boolean
  /** `external_location` and other extras of a table stand under `config:`; before, under `meta:`. */
  readonly extrasInConfig: boolean
  /** The key of a snapshot may be a list of columns. */
  readonly snapshotKeyLists: boolean
  /** A snapshot has to name the schema it is built in. */
  readonly snapshotsNeedSchema: boolean
}

/**
 * Newest first. Source: `SourceConfig` in core/dbt/artifacts/resources/v1/source_definition.py of the branches
 * 1.8 to 1.12 of dbt-core, and the behavior flag `require_generic_test_arguments_property`, which is on by
 * default since 1.10.8.
 */
export const YAML_PROFILES: readonly YamlProfile[] = [
  {
    name: 'modern',
    since: [1, 10, 8],
    testArguments: true,
    metaInConfig: true,
    freshnessInConfig: true,
    loadedAtInConfig: true,
    extrasInConfig: true,
    snapshotKeyLists: true,
    snapshotsNeedSchema: false,
  },
  {
    name: 'legacy-1.9',
    since: [1, 9, 0],
    testArguments: false,
    metaInConfig: false,
    freshnessInConfig: true,
    loadedAtInConfig: false,
    extrasInConfig: false,
    snapshotKeyLists: true,
    snapshotsNeedSchema: false,
  },
  {
    name: 'legacy-1.8',
    since: [1, 8, 0],
    testArguments: false,
    metaInConfig: false,
    freshnessInConfig: false,
    loadedAtInConfig: false,
    extrasInConfig: false,
    snapshotKeyLists: false,
    snapshotsNeedSchema: true,
  },
]
