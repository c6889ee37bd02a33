import type { ArrangedTables } from './arrange-tables.ts'
import { type ArrangedEntry, GONE } from './arranged-entry.ts'
import { type FileEntries, findTable } from './generated.ts'
import type { LockedTable } from '../lock/lock.ts'
import type { PlanInput } from './plan-input.ts'
import type { Present } from './present-files.ts'
import { declaringPath, describingPath } from './project-view.ts'

/** Returns the first matching path, else the last known one. */
export function firstWith(paths: readonly (string | undefined)[], holds: (path: string) => boolean): string {
  const known = paths.filter((path) => path !== undefined)
  return known.find(holds) ?? known.at(-1) ?? ''
}

/** Finds the entry of a model under its name in the lock, and its file. */
export function findFormer(
  { model, properties }: Pick<LockedTable, 'model' | 'properties'>,
  project: PlanInput['project'],
  present: Present,
): { readonly path: string; readonly found: ReturnType<FileEntries['properties']['get']> } {
  const path = firstWith([describingPath(project, model.name), properties?.path], (one) =>
    present.entries(one).properties.has(model.name),
  )
  return { path, found: present.entries(path).properties.get(model.name) }
}

/** Finds the entry of a table under its name in the lock, and its file. */
export function findFormerTable(
  { name, path: lockedPath, table }: NonNullable<LockedTable['source']>,
  project: PlanInput['project'],
  present: Present,
): { readonly path: string; readonly found: ReturnType<typeof findTable> } {
  const place = { source: name, table }
  const path = firstWith(
    [declaringPath(project, place), lockedPath],
    (one) => findTable(present.entries(one), place) !== undefined,
  )
  return { path, found: findTable(present.entries(path), place) }
}

type Gone = ArrangedTables['gone'][number]

/** Returns the entry of a model under its name in the lock. */
export function formerProperties(
  { base, key, locked: { model, properties } }: Pick<Gone, 'key' | 'locked'> & Partial<Pick<Gone, 'base'>>,
  { project }: PlanInput,
  present: Present,
): readonly ArrangedEntry[] {
  if (!properties) return []
  const { found, path } = findFormer({ model, properties }, project, present)
  return [
    {
      ...GONE,
      key,
      kind: 'properties',
      path,
      generatedPath: properties.path,
      covers: model.name,
      owner: { list: found?.list ?? 'models', name: model.name },
      present: found?.entry,
      locked: properties,
      // a changed entry is kept if its generated text is unknown
      base: base?.properties?.entry ?? { name: model.name },
    },
  ]
}

export function goneEntries(gone: Gone, input: PlanInput, present: Present): readonly ArrangedEntry[] {
  const { base, key, locked, sourceReaders } = gone
  const { source } = locked
  const entries = formerProperties(gone, input, present)
  if (!source) return entries
  const { found, path } = findFormerTable(source, input.project, present)
  return [
    ...entries,
    {
      ...GONE,
      key,
      kind: 'source',
      path,
      generatedPath: path,
      covers: `${source.name}.${source.table}`,
      owner: { list: 'sources', name: source.name, table: source.table },
      present: found?.table,
      locked: source,
      base: base?.source?.table,
      ofSource: base?.source?.entry,
      isRead: sourceReaders.length > 0,
    },
  ]
}
