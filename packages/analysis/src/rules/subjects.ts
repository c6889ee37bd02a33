import type { IndexedModel, SourceReference } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import { placeOfModel, type PlacedReference } from '../project/references.ts'
import { type Place, placeOfLine } from '../project/source-file.ts'
import type { Subject } from '../vocabulary.ts'

/** Returns the subject of a finding on a model. Each version of a model is its own subject. */
export function subjectOf({ kind, name, version }: IndexedModel, detail?: string): Subject {
  return {
    kind,
    name: version === undefined ? name : `${name}.v${version}`,
    ...(detail !== undefined && { detail }),
  }
}

/** Returns the place for a finding on a whole model: its first line of code, or its name in YAML that defines it. */
export function placeOf(project: LintProject, { documented, path, relation }: IndexedModel): Place {
  if (relation !== undefined) return placeAt(project, path, documented?.line ?? 1)
  const file = project.files.get(path)
  return file ? placeOfModel(file) : { path, start: 0, end: 0 }
}

/**
 * Returns the place where a model reads another one: the first reference in its file, or its first line if a macro
 * reads it.
 */
export function placeOfRead(project: LintProject, model: IndexedModel, read: IndexedModel): Place {
  const found = referencesOf(project, model).find(
    (reference) => reference.model && project.graph.resolve(reference.model) === read,
  )
  return found?.place ?? placeOf(project, model)
}

export function placeOfSource(project: LintProject, model: IndexedModel, read: SourceReference): Place {
  const found = referencesOf(project, model).find(
    ({ source }) => source?.source === read.source && source.table === read.table,
  )
  return found?.place ?? placeOf(project, model)
}

function referencesOf(project: LintProject, model: IndexedModel): readonly PlacedReference[] {
  const { path, relation } = model
  if (relation === undefined) return project.references.get(path) ?? []
  const { start } = placeOf(project, model)
  const distance = ({ place }: PlacedReference): number => Math.abs(place.start - start)
  return project.propertyReferences
    .filter(({ place }) => place.path === path)
    .toSorted((a, b) => distance(a) - distance(b))
}

/** Returns the place of a 1-based line. */
export function placeAt(project: LintProject, path: string, line: number): Place {
  const file = project.files.get(path)
  return file ? placeOfLine(file, line) : { path, start: 0, end: 0 }
}

/** Returns true for a disabled model; undefined if dbt computes it at run time. */
export function isDisabled(project: LintProject, model: IndexedModel): boolean | undefined {
  const enabled = project.configOf(model, 'enabled')
  if (enabled.status === 'unknown') return undefined
  return enabled.status === 'set' && enabled.value === false
}

/** Returns the models that dbt builds, as far as files show. */
export function builtModels(project: LintProject): readonly IndexedModel[] {
  return project.index.models.filter((model) => isDisabled(project, model) !== true)
}

export function nameOfSource({ source, table }: SourceReference): string {
  return `${source}.${table}`
}

export function list(names: readonly string[], limit = 5): string {
  const rest = names.length - limit
  return rest > 0 ? `${names.slice(0, limit).join(', ')} and ${rest} more` : names.join(', ')
}

/** Returns true if a name is only known when dbt runs, because it contains Jinja. */
export function isWorkedOut(name: string): boolean {
  return name.includes('{{') || name.includes('{%')
}
