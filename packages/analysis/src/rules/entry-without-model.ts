import type { OwnerList } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Entry } from '../project/properties-file.ts'
import type { Hit, Rule } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { nearest } from './nearest.ts'
import { positionOf } from '../project/source-file.ts'

const LISTS = { models: 'model', seeds: 'seed', snapshots: 'snapshot' } as const satisfies Record<
  OwnerList,
  string
>

/** dbt only warns about an entry without a model, and its tests are never run. */
export const entryWithoutModel = {
  id: 'SC303',
  name: 'entry-without-model',
  group: 'properties',
  severity: 'error',
  isDefault: true,
  needs: ['files'],
  summary: 'YAML describes a model, seed or snapshot that is not there, or describes one twice',
  docs: {
    why: 'The tests and descriptions of an entry without a model are dropped with no more than a warning: the tests of a model that was renamed never run again. dbt refuses a second entry.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: stg_shop__ordres # the file is stg_shop__orders.sql',
    },
    remedy: 'Correct the name, or remove the entry.',
  },
  fix: { safety: 'unsafe', summary: 'gives the entry the closest name that nobody describes, or removes it' },
  check: (project) =>
    (['models', 'seeds', 'snapshots'] as const).flatMap((list) => [
      ...unknownEntries(project, list),
      ...twins(project, list),
    ]),
} satisfies Rule

function entriesOf(project: LintProject, list: OwnerList): readonly Entry[] {
  return project.properties.flatMap(({ entries }) => entries(list))
}

function unknownEntries(project: LintProject, list: OwnerList): readonly Hit[] {
  const kind = LISTS[list]
  const known = new Set([
    ...project.index.models.filter((model) => model.kind === kind).map(({ name }) => name),
    // A file that cannot be read may hold it.
    ...project.index.faults.map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')),
  ])
  const entries = entriesOf(project, list)
  const described = new Set(entries.map(({ name }) => name))
  const free = [...known].filter((name) => !described.has(name))
  return entries
    .filter(({ get, name }) => !known.has(name) && !isDefinition(list, get))
    .map(({ name, place }) => {
      const closest = nearest(name, free)
      return {
        message: `there is no ${kind} ${name}`,
        help: closest === undefined ? `add the ${kind} or remove the entry` : `did you mean ${closest}?`,
        place,
        subject: { kind, name },
        ...(isOnce(entries, name) && { fix: mend(place.path, { list, name }, closest) }),
      }
    })
}

/** Since dbt 1.9 snapshots are defined in YAML; `{{ }}` in a name is worked out. */
function isDefinition(list: OwnerList, get: Entry['get']): boolean {
  return list === 'snapshots' && get('relation') !== undefined
}

function isOnce(entries: readonly Entry[], name: string): boolean {
  return entries.filter((entry) => entry.name === name).length === 1
}

function mend(
  path: string,
  owner: { readonly list: OwnerList; readonly name: string },
  closest: string | undefined,
): Fix {
  if (closest === undefined)
    return {
      safety: 'unsafe',
      summary: `remove the entry of ${owner.name}`,
      edit: { kind: 'yaml', path, edits: [{ kind: 'remove-entry', owner }] },
    }
  const edit = { kind: 'set-property', owner, key: 'name', value: closest, replaces: owner.name } as const
  return { safety: 'unsafe', summary: `name it ${closest}`, edit: { kind: 'yaml', path, edits: [edit] } }
}

function twins(project: LintProject, list: OwnerList): readonly Hit[] {
  const named = Map.groupBy(entriesOf(project, list), ({ name }) => name)
  return [...named].flatMap(([name, [first, ...others]]) =>
    others.map(({ place }) => ({
      message: `${LISTS[list]} ${name} is already described in ${first ? printPlace(project, first) : ''}`,
      help: 'merge the two entries: dbt refuses a second one',
      place,
      subject: { kind: LISTS[list], name, detail: 'twice' },
    })),
  )
}

function printPlace({ files }: LintProject, { place }: Entry): string {
  const file = files.get(place.path)
  return file ? `${place.path}:${positionOf(file, place.start).line}` : place.path
}
