import type { ProjectView } from '../project-view.ts'
import { entryOf } from '../resources.ts'
import { asNode, type Listed } from './listed.ts'

/**
 * Returns the owners of an exposure, or of a relation: those in its `meta` and those of its group; undefined if they are only known
 * when dbt runs. https://docs.getdbt.com/reference/resource-configs/meta#designate-a-model-owner
 */
export function ownersOf(view: ProjectView, one: Listed): readonly string[] | undefined {
  if (one.kind === 'exposure') return namesIn(entryNamed(view, 'exposures', one)?.get('owner'))
  const { model } = one
  const meta = model ? view.project.configOf(model, 'meta') : { status: 'unset' as const }
  const group = model ? view.project.configOf(model, 'group') : { status: 'unset' as const }
  if (meta.status === 'unknown' || group.status === 'unknown') return undefined
  const entry = entryOf(view, asNode(one))
  const named = group.status === 'set' && typeof group.value === 'string' ? group.value : undefined
  const inGroup = named === undefined ? undefined : entryNamed(view, 'groups', { name: named })
  const given = [
    ...(meta.status === 'set' ? [meta.value] : []),
    entry?.get('meta'),
    Reflect.get(Object(entry?.get('config')), 'meta') as unknown,
  ].map((each): unknown => Reflect.get(Object(each), 'owner'))
  const all = [...given, inGroup?.get('owner')].flatMap(namesIn)
  // an owner of another form cannot be told apart from none
  if (all.length === 0 && given.some((owner) => owner !== undefined && owner !== null)) return undefined
  return all.some((owner) => owner.includes('{{')) ? undefined : [...new Set(all)]
}

/** An owner is a text, or has a name and an email. */
function namesIn(owner: unknown): readonly string[] {
  const { email, name } = Object(owner) as Readonly<Record<string, unknown>>
  return [owner, name, email].filter((each) => typeof each === 'string')
}

function entryNamed(
  { project }: ProjectView,
  list: 'exposures' | 'groups',
  { name, path }: { readonly name: string; readonly path?: string },
): ReturnType<typeof entryOf> {
  return project.properties
    .filter(({ file }) => path === undefined || file.path === path)
    .flatMap(({ entries }) => entries(list))
    .find((entry) => entry.name === name)
}
