import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import { asMap } from '../project/model-config.ts'
import type { Rule } from '../rule.ts'
import { builtModels, list, placeOf, subjectOf } from './subjects.ts'

/** A public model is an interface: unknown projects build on it. */
export const publicWithoutContract = {
  id: 'SC503',
  name: 'public-without-contract',
  group: 'project',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'a public model has no enforced contract, no description, or columns without one',
  docs: {
    why: 'Other projects build on public models. Without a contract a changed column breaks them, and without descriptions they guess.',
    example: { language: 'yaml', code: 'models:\n  - name: dim_customers\n    access: public' },
    remedy: 'Enforce a contract, and describe the model and its columns; or make the model protected.',
  },
  check: (project) =>
    builtModels(project).flatMap((model) => {
      const access = project.configOf(model, 'access')
      if (model.kind !== 'model' || access.status !== 'set' || access.value !== 'public') return []
      const lacking = lackingIn(project, model)
      const place = project.entryOf(model)?.place ?? placeOf(project, model)
      return lacking.length === 0
        ? []
        : [
            {
              message: `public model ${model.name} has no ${list(lacking)}`,
              place,
              subject: subjectOf(model),
            },
          ]
    }),
} satisfies Rule

function lackingIn(project: LintProject, model: IndexedModel): readonly string[] {
  const entry = project.entryOf(model)
  const contract = project.configOf(model, 'contract')
  const columns = entry?.entries('columns') ?? []
  const isBare = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''
  const bare = columns.filter(({ get }) => isBare(get('description'))).map(({ name }) => name)
  const isEnforced =
    contract.status === 'unknown' || (contract.status === 'set' && asMap(contract.value)['enforced'] === true)
  return [
    ...(isEnforced ? [] : ['enforced contract']),
    ...(isBare(entry?.get('description')) ? ['description'] : []),
    ...(columns.length === 0 ? ['described columns'] : []),
    ...(bare.length > 0
      ? [`description of ${bare.slice(0, 3).join(' and ')}${bare.length > 3 ? ' and others' : ''}`]
      : []),
  ]
}
