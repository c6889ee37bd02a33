import {
  stringify,
  type ToStringOptions,
  type DocumentOptions,
  type SchemaOptions,
  type CreateNodeOptions,
} from 'yaml'

/**
 * dbt v1 reads YAML 1.1, dbt v2 has a reader of its own: `compat` quotes whatever one of them would take for
 * something else than text (`no`, `12:30`, `2024-01-01`). Lines are 80 long once the templates have indented
 * them.
 */
const OPTIONS: DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions = {
  compat: 'yaml-1.1',
  lineWidth: 74,
  aliasDuplicateObjects: false,
}

/** A value as block YAML, or a scalar as one that may stand behind a key; without the line end. */
export function printYaml(value: unknown): string {
  return stringify(value, OPTIONS).trimEnd()
}
