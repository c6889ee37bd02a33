import { isDeepStrictEqual } from 'node:util'
import { readsSource } from '../merge/rename-source.ts'
import type { YamlEntry } from '../yaml/yaml-edit.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { type ArrangedEntry, GONE } from './arranged-entry.ts'
import { findFormerTable } from './former-entries.ts'
import type { PlanInput } from './plan-input.ts'
import { movedSource } from './plan-models.ts'
import type { PlannedFile, StillRead } from './plan-types.ts'
import type { Present } from './present-files.ts'
import { findSourceReaders, type ReadingPlace } from './project-view.ts'

/** Tables with new names in dbt. */
export interface SourceMoves {
  /** Tables whose former entries have no reader after the plan. */
  readonly tables: readonly ArrangedTable[]
  /** Tables whose former entries stay for their readers. */
  readonly read: readonly { readonly table: ArrangedTable; readonly places: readonly ReadingPlace[] }[]
  /** Keys of tables whose entries stay, because their models stay. */
  readonly waiting: ReadonlySet<string>
}

/** Finds tables whose entries are renamed. Models that are not planned or in conflict keep reading the former entry. */
export function sourceMoves(
  { tables }: ArrangedTables,
  { project, syntax }: PlanInput,
  models: readonly PlannedFile[],
): SourceMoves {
  const byPath = new Map(models.map((file) => [file.path, file]))
  const moving = tables.filter((table) => movedSource(table) !== undefined)
  const waiting = moving.filter(
    ({ isSelected, model }) => !isSelected || byPath.get(model.path)?.action === 'conflict',
  )
  const readersOf = (table: ArrangedTable): readonly ReadingPlace[] => {
    const from = movedSource(table)?.from
    if (!from) return []
    return findSourceReaders(project, from).filter(({ path }) => {
      const file = byPath.get(path)
      return !file || (file.after !== undefined && readsSource(file.after, from, syntax))
    })
  }
  const going = moving
    .filter((table) => !waiting.includes(table))
    .map((table) => ({ table, places: readersOf(table) }))
  return {
    waiting: new Set(waiting.map(({ key }) => key)),
    tables: going.flatMap(({ places, table }) => (places.length === 0 ? table : [])),
    read: going.filter(({ places }) => places.length > 0),
  }
}

/** Finds the places that read a table by its former names, under which it stays declared for them. */
export function formerlyRead(
  arranged: ArrangedTables,
  input: PlanInput,
  files: readonly PlannedFile[],
): readonly StillRead[] {
  return sourceMoves(arranged, input, files).read.flatMap(({ places, table }): readonly StillRead[] => {
    const moved = movedSource(table)
    if (!moved || !input.project.sources.some(({ name }) => name === moved.from.source)) return []
    const [from, to] = [moved.from, moved.to].map((read) => `source('${read.source}', '${read.table}')`)
    const where = places.map(({ line, path }) => `${path}:${line}`).join(', ')
    const message = `${from} is called ${to} now, and ${where} ${places.length === 1 ? 'reads' : 'read'} it by its former name; its former entry stays for ${places.length === 1 ? 'that place: change it' : 'those places: change them'}, and delete the entry`
    return [{ code: 'SOURCE_STILL_READ', message, places }]
  })
}

interface Places extends Pick<PlanInput, 'project'> {
  readonly present: Present
}

/** A table with a new name in dbt gets a new entry, unless a person renamed the former one. */
export function isNewEntry(
  { locked, wanted }: ArrangedTable,
  written: YamlEntry | undefined,
  { present, project }: Places,
): boolean {
  if (!locked?.source || !movedSource({ locked, wanted })) return false
  return !written || findFormerTable(locked.source, project, present).found !== undefined
}

/** Returns the entry of a table under its former names, which is removed if it is unchanged. */
export function formerSource(
  { base, key, locked }: ArrangedTable,
  { present, project }: Places,
): readonly ArrangedEntry[] {
  if (!locked?.source) return []
  const { name, table: former } = locked.source
  const { found, path } = findFormerTable(locked.source, project, present)
  if (!found) return []
  return [
    {
      ...GONE,
      key,
      kind: 'source',
      isPruned: true,
      path,
      generatedPath: path,
      covers: `${name}.${former}`,
      owner: { list: 'sources', name, table: former },
      present: found.table,
      locked: locked.source,
      // a changed entry is kept if its generated text is unknown
      base: { name: former },
      ofSource: generatedSource(found.entry, base?.source?.entry, locked.item.table.schema),
    },
  ]
}

/** Returns the generated part of the source under its former name; undefined if a person wrote more. */
function generatedSource(
  found: YamlEntry & { readonly name: string },
  base: YamlEntry = {},
  schema: string | undefined,
): YamlEntry | undefined {
  const isGenerated = Object.entries(found).every(
    ([key, value]) =>
      key === 'name' || (key === 'schema' && value === schema) || isDeepStrictEqual(base[key], value),
  )
  return isGenerated ? found : undefined
}
