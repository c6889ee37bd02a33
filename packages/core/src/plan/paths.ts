import { fillPattern } from '../naming/fill-pattern.ts'
import type { Plan } from './plan.ts'
import type { Subject } from './subject.ts'

/** Plans the paths of a model's files in a dbt project. */
export function planPaths({ kind, modelName, settings, dbtSource }: Subject): Plan['paths'] {
  const { naming, options } = settings
  const fill = (pattern: string): string => fillPattern(pattern, { source: dbtSource })
  const folder = fill(naming.kinds[kind].folder)
  const yaml = options.yamlLayout === 'model' ? `${modelName}.yml` : fill(naming.kinds[kind].yaml)
  return {
    model: `${folder}/${modelName}.sql`,
    modelYaml: `${folder}/${yaml}`,
    sourceYaml: `${fill(naming.sourcesFolder)}/${fill(naming.sourcesFile)}`,
  }
}
