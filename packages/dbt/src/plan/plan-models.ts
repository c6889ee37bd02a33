import { hashText } from '../lock/hashes.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { generatedRenames, type PlannedSql } from './model-names.ts'
import type { PlanInput } from './plan-input.ts'
import { planModel, planOrphan } from './plan-model.ts'
import type { PlannedFile } from './plan-types.ts'

/** Plans the SQL files of requested and deleted tables. */
export async function planModels(
  { gone, tables }: ArrangedTables,
  input: PlanInput,
  texts: ReadonlyMap<string, string | undefined>,
): Promise<PlannedSql> {
  const { prune = false, syntax } = input
  const selected = tables.filter(({ isSelected }) => isSelected)
  const owners = new Map([...input.lock].map(([key, locked]) => [locked.model.path, key]))
  const planned = await Promise.all(selected.map((table) => planTable(table, input, { owners, texts })))
  // the model of a table that is there is never removed, whatever other line of the lock it has
  const live = new Set(tables.map(({ model }) => model.path))
  const orphans = gone.flatMap(({ base, locked, readers }) =>
    live.has(locked.model.path)
      ? []
      : (planOrphan(
          { locked, present: texts.get(locked.model.path) },
          { base: base?.sql, prune, readers, syntax },
        ) ?? []),
  )
  return {
    files: [...planned.flatMap(({ files }) => files), ...orphans],
    formerSql: new Map(
      planned.flatMap(({ former, key }) => (former === undefined ? [] : [[key, former] as const])),
    ),
  }
}

interface Models {
  /** Keys of the lock by the paths of their models. */
  readonly owners: ReadonlyMap<string, string>
  readonly texts: ReadonlyMap<string, string | undefined>
}

interface PlannedTableSql {
  readonly key: string
  readonly files: readonly PlannedFile[]
  /** The SQL of the last generation; undefined for a model of a person. */
  readonly former: string | undefined
}

async function planTable(
  table: ArrangedTable,
  { adopt, lock: _, readBase, settings, settlement, syntax }: PlanInput,
  { owners, texts }: Models,
): Promise<PlannedTableSql> {
  const { base, key, locked, model, wanted } = table
  const there = texts.get(model.path)
  if (model.owner !== 'ours') return { key, files: [notOurs(table, there)], former: undefined }
  const former = locked && locked.model.path !== model.path ? texts.get(locked.model.path) : undefined
  const kept = locked && (await readBase(locked.model.sha256))
  const present = there ?? former
  const then = kept ?? base?.sql ?? wanted.sql
  const isBaseKnown = kept !== undefined || !base || !locked || hashText(base.sql) === locked.model.sha256
  const file = planModel(
    {
      ...model,
      present,
      wanted: wanted.sql,
      locked,
      modelOf: owners.get(model.path),
      isAdopted: adopt?.has(model.path) ?? false,
      base: then,
      renames: table.renames,
      renamedColumns: generatedRenames(table, syntax),
      source: movedSource(table),
      ...(model.byHand && {
        names: {
          configured: wanted.names().configured,
          raw: wanted.item.table.columns.map(({ name }) => name),
        },
      }),
      isBaseKnown: isBaseKnown || locked.settings === settings,
    },
    { syntax, settlement },
  )
  const noted = { ...file, notes: [...(model.note === undefined ? [] : [model.note]), ...file.notes] }
  const files = former === undefined || there !== undefined ? [noted] : moved(noted, table, former)
  const isUnchanged = present !== undefined && hashText(present) === locked?.model.sha256
  return { key, files, former: isUnchanged ? present : then }
}

/** Returns the former and current names of a model's table, if its names in dbt changed. */
export function movedSource({
  locked,
  wanted: { place },
}: Pick<ArrangedTable, 'locked' | 'wanted'>): ReturnType<typeof sourceMove> {
  return sourceMove(locked?.source, place)
}

type Names = { readonly source: string; readonly table: string }

function sourceMove(
  from: { readonly name: string; readonly table: string } | undefined,
  { source, table }: Names,
): { readonly from: Names; readonly to: Names } | undefined {
  if (!from || (from.name === source && from.table === table)) return undefined
  return { from: { source: from.name, table: from.table }, to: { source, table } }
}

/** Moves a model together with a person's changes; a model in conflict stays at its place. */
function moved(
  file: PlannedFile,
  { locked, model, wanted }: ArrangedTable,
  former: string,
): readonly PlannedFile[] {
  const { name = '', path = '' } = locked?.model ?? {}
  if (file.action === 'conflict') return [{ ...file, before: undefined, after: undefined }]
  const isEdited = file.after !== wanted.sql
  return [
    {
      ...file,
      action: 'create',
      before: undefined,
      notes: isEdited ? [`moved from ${path}, with what was edited by hand`] : [],
    },
    {
      path,
      action: 'orphan',
      before: former,
      after: undefined,
      covers: [name],
      conflicts: [],
      notes: isEdited ? [`moved to ${model.path}`] : [],
    },
  ]
}

/** A model that a person wrote, or whose name is taken. */
function notOurs({ model, wanted }: ArrangedTable, present: string | undefined): PlannedFile {
  const file = { path: model.path, before: present, after: present, covers: [model.name], conflicts: [] }
  if (model.owner === 'foreign') {
    const notes = [
      `it already reads ${wanted.item.request.source}, so no other model is written; stagecraft adopt ${model.path} has it follow the table`,
    ]
    return { ...file, action: 'foreign', notes }
  }
  return {
    ...file,
    action: 'conflict',
    after: present,
    conflicts: model.conflict ? [model.conflict] : [],
    notes: [],
  }
}
