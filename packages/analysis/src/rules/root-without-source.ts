import { layerOf } from '@stagecraft/dbt'
import { foreignCalls } from './foreign-macro.ts'
import type { Hit, Rule, Unchecked } from '../rule.ts'
import { builtModels, placeOf, subjectOf } from './subjects.ts'

/** Off by default: calendars and constants are fine. */
export const rootWithoutSource = {
  id: 'SC404',
  name: 'root-without-source',
  group: 'graph',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: 'a model reads neither a source nor another model',
  docs: {
    why: 'Its rows come from constants, or from a relation that dbt does not know. Calendars are fine.',
    example: { language: 'sql', code: 'select 1 as id' },
    remedy: 'Read a source, a seed or a model, or suppress the finding with a reason.',
  },
  check: (project) => {
    const foreignCallsOf = foreignCalls(project)
    return builtModels(project).flatMap((model): readonly (Hit | Unchecked)[] => {
      const isRoot = model.kind === 'model' && model.reads.length + model.models.length === 0
      if (!isRoot || layerOf(model) === 'staging') return []
      const subject = subjectOf(model)
      if (model.isDynamic) return [{ subject, unchecked: 'its references are only known when dbt runs' }]
      const [foreign] = foreignCallsOf(model)
      if (foreign) return [{ subject, unchecked: `the macro ${foreign.name} may read more` }]
      return [
        { message: `${model.name} reads no source and no model`, place: placeOf(project, model), subject },
      ]
    })
  },
} satisfies Rule
