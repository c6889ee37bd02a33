import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import { asMap, versionOf } from '../project/model-config.ts'
import type { Entry } from '../project/properties-file.ts'
import type { Rule } from '../rule.ts'
import { builtModels, list, placeOf, subjectOf } from './subjects.ts'

/** A public model is an interface that other projects build on. */
export const publicWithoutContract = {
  id: 'SC503',
  name: 'public-without-contract',
  group: 'project',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'a public model has no enforced contract, no description, or columns without one',
  docs: {
    why: 'Other projects build on public models. Without a contract, a changed column breaks them; without descriptions, their authors must guess.',
    example: { language: 'yaml', code: 'models:\n  - name: dim_customers\n    access: public' },
    remedy: 'Enforce a contract and describe the model and its columns, or make the model protected.',
  },
  check: (project) =>
    builtModels(project).flatMap((model) => {
      const access = project.configOf(model, 'access')
      if (model.kind !== 'model' || access.status !== 'set' || access.value !== 'public') return []
      const lacking = lackingIn(project, model)
      const entry = project.entryOf(model)
      const place = ((entry && versionOf(entry, model)) ?? entry)?.place ?? placeOf(project, model)
      return lacking.length === 0
        ? []
        : [
            {
              message: `public model ${subjectOf(model).name} has no ${list(lacking)}`,
              place,
              subject: subjectOf(model),
            },
          ]
    }),
} satisfies Rule

function lackingIn(project: LintProject, model: IndexedModel): readonly string[] {
  const entry = project.entryOf(model)
  const version = entry && versionOf(entry, model)
  const contract = project.configOf(model, 'contract')
  const columns = [...(version?.entries('columns') ?? []), ...inherited(entry, version)]
  const bare = columns.filter(({ get }) => isBare(get('description'))).map(({ name }) => name)
  const isEnforced =
    contract.status === 'unknown' || (contract.status === 'set' && asMap(contract.value)['enforced'] === true)
  return [
    ...(isEnforced ? [] : ['enforced contract']),
    ...([version, entry].every((one) => isBare(one?.get('description'))) ? ['description'] : []),
    ...(columns.length === 0 ? ['described columns'] : []),
    ...(bare.length > 0
      ? [`description of ${bare.slice(0, 3).join(' and ')}${bare.length > 3 ? ' and others' : ''}`]
      : []),
  ]
}

function isBare(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

/** Returns the columns that a version takes over from its model: all if it lists none, else those that it includes. */
function inherited(entry: Entry | undefined, version: Entry | undefined): readonly Entry[] {
  const all = entry?.entries('columns') ?? []
  const own = version?.get('columns')
  if (!Array.isArray(own)) return all
  const includes = own.map(asMap).filter((one) => 'include' in one)
  return all.filter(({ name }) => includes.some((one) => isIncluded(name, one)))
}

function isIncluded(name: string, { exclude, include }: Readonly<Record<string, unknown>>): boolean {
  const isNamed = Array.isArray(include) ? include.includes(name) : include === 'all' || include === '*'
  return isNamed && !(Array.isArray(exclude) && exclude.includes(name))
}
