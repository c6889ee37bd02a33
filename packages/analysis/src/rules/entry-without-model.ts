import type { OwnerList } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Entry } from '../project/properties-file.ts'
import type { Hit, Rule } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { nearestModel } from './nearest.ts'
import { isWorkedOut } from './subjects.ts'
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
  summary: 'YAML describes a model, seed or snapshot that does not exist, or describes one twice',
  docs: {
    why: 'dbt drops the tests and descriptions of an entry without a model and only warns: after a rename, the tests of the model never run again. dbt refuses a second entry.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: stg_shop__ordres # the file is stg_shop__orders.sql',
    },
    remedy: 'Correct the name, or remove the entry.',
  },
  fix: { safety: 'unsafe', summary: 'gives the entry the closest name without a description, or removes it' },
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
    // An unreadable file may define it.
    ...project.index.faults.map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')),
  ])
  const entries = entriesOf(project, list)
  const counts = new Map<string, number>()
  for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1)
  const free = [...known].filter((name) => !counts.has(name))
  return entries
    .filter(({ get, name }) => !known.has(name) && !isDefinition(list, get) && !isWorkedOut(name))
    .map(({ name, place }) => {
      const closest = nearestModel(name, free)
      return {
        message: `there is no ${kind} ${name}`,
        help: closest === undefined ? `add the ${kind} or remove the entry` : `did you mean ${closest}?`,
        place,
        subject: { kind, name },
        ...(counts.get(name) === 1 && { fix: mend(place.path, { list, name }, closest) }),
      }
    })
}

/** Since dbt 1.9 snapshots are defined in YAML. */
function isDefinition(list: OwnerList, get: Entry['get']): boolean {
  return list === 'snapshots' && get('relation') !== undefined
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
  const known = entriesOf(project, list).filter(({ name }) => !isWorkedOut(name))
  const named = Map.groupBy(known, ({ name }) => name)
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
