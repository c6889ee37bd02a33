import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from './lint-project.ts'

/** Returns the name of a model in the warehouse, in lower case; undefined if it is computed. */
export function relationName(
  { configOf }: Pick<LintProject, 'configOf'>,
  model: IndexedModel,
): string | undefined {
  const alias = configOf(model, 'alias')
  if (alias.status === 'unknown') return undefined
  if (alias.status === 'set') return String(alias.value).toLowerCase()
  return (model.version === undefined ? model.name : `${model.name}_v${model.version}`).toLowerCase()
}
