import type { IndexedModel } from './project-index.ts'
import type { ProjectSettings } from './settings.ts'
import { asRecord } from './shapes.ts'

/** The settings of `dbt_project.yml` for the folders of models. */
export type FolderSettings = Pick<ProjectSettings, 'modelPaths' | 'models' | 'name'>

/** Returns the values that `models:` in `dbt_project.yml` sets for a model, those of its innermost folder last. */
export function folderValues(
  { path }: Pick<IndexedModel, 'path'>,
  key: string,
  { modelPaths, models, name }: FolderSettings,
): readonly unknown[] {
  const root = modelPaths.find((folder) => folder === '' || path.startsWith(`${folder}/`)) ?? ''
  const inner = root === '' ? path : path.slice(root.length + 1)
  const steps = [name, ...inner.replace(/\.[^./]+$/, '').split('/')]
  return valuesAt(models, steps, key)
}

/** The settings of `dbt_project.yml` for sources. */
export type SourceSettings = Pick<ProjectSettings, 'modelPaths' | 'name' | 'sources'>

/** Returns the values that `sources:` in `dbt_project.yml` sets for a table, those of the table last. */
export function sourceValues(
  { path, source, table }: { readonly path: string; readonly source: string; readonly table: string },
  key: string,
  { modelPaths, name, sources }: SourceSettings,
): readonly unknown[] {
  const root = modelPaths.find((folder) => folder === '' || path.startsWith(`${folder}/`)) ?? ''
  const folders = (root === '' ? path : path.slice(root.length + 1)).split('/').slice(0, -1)
  return valuesAt(sources, [name, ...folders, source, table], key)
}

/** The settings of `dbt_project.yml` for data tests. */
export type TestSettings = Pick<ProjectSettings, 'modelPaths' | 'name' | 'testPaths' | 'tests'>

/**
 * Returns the values that `data_tests:` in `dbt_project.yml` sets for the tests of a file, those of its innermost folder last.
 * https://docs.getdbt.com/reference/data-test-configs
 */
export function testValues(
  path: string,
  key: string,
  { modelPaths, name, testPaths, tests }: TestSettings,
): readonly unknown[] {
  const root = [...modelPaths, ...testPaths].find((folder) => path.startsWith(`${folder}/`)) ?? ''
  const folders = (root === '' ? path : path.slice(root.length + 1)).split('/').slice(0, -1)
  return valuesAt(tests, [name, ...folders], key)
}

function valuesAt(
  settings: Readonly<Record<string, unknown>>,
  steps: readonly string[],
  key: string,
): readonly unknown[] {
  let level = settings
  const values = [level[`+${key}`] ?? scalar(level[key])]
  for (const step of steps) {
    level = asRecord(level[step])
    values.push(level[`+${key}`] ?? scalar(level[key]))
  }
  return values.filter((value) => value !== undefined)
}

/** A key without a plus is a folder when its value is a map. */
function scalar(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value
}

/** Returns true if a value of `contract:` enforces it; undefined if it does not say. */
export function enforcesContract(value: unknown): boolean | undefined {
  const { enforced } = asRecord(value)
  return typeof enforced === 'boolean' ? enforced : undefined
}
