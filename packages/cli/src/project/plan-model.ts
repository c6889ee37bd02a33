import type { ColumnWish, ModelPlanner, ModelWish, PlannedModel } from '@stagecraft/assistant'
import {
  createRun,
  type EditedItem,
  parseItem,
  printItem,
  printSourceName,
  readTables,
} from '@stagecraft/core/run'
import {
  describeConflict,
  isChange,
  lockKey,
  type PlannedFile,
  planProject,
  type ProjectPlan,
} from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import {
  type BackendTurn,
  type Column,
  type DialectName,
  StagecraftError,
  type Table,
  UNKNOWN_TYPE,
  type Violation,
  VIOLATIONS,
} from '@stagecraft/spec'
import { openContext } from '../commands/open-engine.ts'
import { withCatalog } from '../commands/shared-flags.ts'
import { loadProjectConfig } from './lint-run.ts'
import { planInput, type Planning } from './make-plan.ts'
import { knownProject, openProject, type OpenProject } from './open-project.ts'
import type { SourceTablesFlags } from './source-tables.ts'

/** Tests and descriptions are part of what is proposed, as with `stagecraft plan`. */
const DEFAULTS = { addTests: true, addDocs: true }

/** Everything that plans of a project share, with the dialect decided. */
type ModelPlanning = Planning & { readonly dialect: DialectName }

/**
 * Plans models for proposals, by the same planner as `stagecraft plan`. Tables come from a catalog if the person named one;
 * else they are those of the lock, and those that YAML describes.
 */
export function modelPlanner(root: string, flags: SourceTablesFlags): ModelPlanner {
  return {
    async plan(wish) {
      const project = await openProject(root, { recover: false })
      const planning = await openPlanning(project, flags)
      const table = await findTable(wish.source, planning, flags)
      const { item, notes } = await editItem(table, wish, planning)
      return plannedModel(item, notes, { planning, plan: await planItems([printItem(item)], planning) })
    },
  }
}

/** Plans the tables of a proposal again, for the project as it is now. */
export async function planAgain(
  items: readonly string[],
  project: OpenProject,
  flags: Omit<SourceTablesFlags, 'catalog'>,
): Promise<ProjectPlan> {
  return planItems(items, await openPlanning(project, flags))
}

function planItems(items: readonly string[], planning: ModelPlanning): Promise<ProjectPlan> {
  return planProject(planInput(items.map(parseItem), [], planning))
}

async function openPlanning(
  project: OpenProject,
  { config: file, dialect: asked }: SourceTablesFlags,
): Promise<ModelPlanning> {
  const { config, folder: configFolder } = await loadProjectConfig(project.root, file)
  const [locked] = project.lock.values()
  const dialect = asked ?? config.dialect ?? locked?.dialect ?? 'duckdb'
  const context = await openContext(
    { dialect, backend: false },
    { config, configFolder },
    { folder: project.root, defaults: DEFAULTS, known: await knownProject(project) },
  )
  return { project, context, flags: {}, dialect }
}

/** @throws {StagecraftError} INVALID_SOURCE for a table that neither catalog, lock nor YAML know. */
async function findTable(
  source: string,
  { context, dialect, project }: ModelPlanning,
  flags: SourceTablesFlags,
): Promise<EditedItem> {
  const name = source.replace(/^source\./, '')
  const request = { type: 'staging' as const, options: {} }
  const locked = [...project.lock.values()].find(
    ({ item, source: declared }) =>
      item.request.type === 'staging' &&
      (item.request.source === name || (declared && `${declared.name}.${declared.table}` === name)),
  )
  const declared = declaredTable(name, project, dialect)
  const dotted = locked?.item.request.source ?? declared?.source ?? name
  if (flags.catalog !== undefined) {
    const { catalog, ...others } = flags
    const choice = { ...others, out: project.root, ...(catalog !== true && { catalog }) }
    return withCatalog(choice, async (opened) => {
      const { tables } = await readTables(opened.catalog, [dotted], {
        config: context.config,
        dialect: DIALECTS[dialect],
      })
      const [found] = tables
      if (!found) throw unknownTable(source)
      return { request: { ...request, source: found.name }, table: found.table }
    })
  }
  if (locked) return locked.item
  if (declared) return { request: { ...request, source: declared.source }, table: declared.table }
  throw unknownTable(source)
}

/** A table as YAML describes it; undefined for one without columns there. */
function declaredTable(
  name: string,
  { index }: OpenProject,
  dialect: DialectName,
): { readonly source: string; readonly table: Table } | undefined {
  for (const { database, name: source, schema = source, tables } of index?.sources ?? [])
    for (const { columns, description, identifier, name: table } of tables) {
      const dotted = printSourceName({ database, schema, table: identifier }, DIALECTS[dialect])
      const isIt = [`${source}.${table}`, dotted, `${schema}.${identifier}`].includes(name)
      if (!isIt || columns.length === 0) continue
      return {
        source: dotted,
        table: {
          ...(database !== undefined && { database }),
          schema,
          name: identifier,
          ...(description !== undefined && { comment: description }),
          columns: columns.map((column): Column => ({
            name: column.name,
            type: column.dataType ?? UNKNOWN_TYPE,
            ...(column.description !== undefined && { comment: column.description }),
          })),
        },
      }
    }
  return undefined
}

function unknownTable(source: string): StagecraftError {
  return new StagecraftError(
    'INVALID_SOURCE',
    `the columns of ${JSON.stringify(source.slice(0, 100))} are not known: neither stagecraft.lock nor the YAML of sources has them`,
    { details: { suggestion: 'a person starts stagecraft with --catalog to have the warehouse read' } },
  )
}

interface Edited {
  readonly item: EditedItem
  readonly notes: readonly string[]
}

/**
 * Checks what a language model wishes by the gates for answers of backends, and brings it into the item. What was decided
 * before stays where nothing is wished.
 */
async function editItem(
  item: EditedItem,
  { columns, description }: ModelWish,
  { context, dialect }: ModelPlanning,
): Promise<Edited> {
  const unknown = columns.filter(({ column }) => ordinalOf(item.table, column) === undefined)
  if (unknown.length > 0)
    throw StagecraftError.invalid({
      path: 'columns',
      expected: `columns of the table: ${item.table.columns
        .slice(0, 50)
        .map(({ name }) => name)
        .join(', ')}`,
      received: unknown.map(({ column }) => JSON.stringify(column.slice(0, 100))).join(', '),
    })
  if (columns.length === 0 && description === undefined) return { item, notes: [] }
  const edits = columns.map((wish) => ({ ordinal: ordinalOf(item.table, wish.column), ...editOf(wish) }))
  const { scripted } = await import('@stagecraft/llm')
  const backend = scripted(
    ({ turns }) => {
      const asked = ordinalsIn(turns)
      const own = edits.filter(({ ordinal }) => ordinal !== undefined && asked.has(ordinal))
      return JSON.stringify({ description: description ?? null, columns: own })
    },
    { id: 'proposal' },
  )
  const { llm: _, ...setup } = context
  const llm = { backend, onFailure: 'error' as const }
  const [table] = createRun([item], { ...setup, dialect, llm }).tables
  try {
    const edited = (await table?.edit())?.item ?? item
    return { item: edited, notes: (edited.notes ?? []).map(({ message }) => message) }
  } catch (error) {
    throw error instanceof StagecraftError ? (unusable(error, item.table) ?? error) : error
  }
}

/** Nothing that was wished can be used: a model that the rules made alone is not what was asked for. */
function unusable({ details }: StagecraftError, { columns }: Table): StagecraftError | undefined {
  const violations = (details?.['violations'] ?? []) as readonly Violation[]
  if (violations.length === 0) return undefined
  const reasons = violations.map(({ code, expected, ordinal = 0 }) => {
    const name = columns[ordinal - 1]?.name
    return `${name === undefined ? '' : `${name.slice(0, 100)}: `}${VIOLATIONS[code]}; expected ${expected}`
  })
  return new StagecraftError('INVALID_REQUEST', `nothing was proposed: ${reasons.slice(0, 5).join('; ')}`, {
    details: { reasons },
  })
}

/** The columns that a question is about: a wide table is asked about in parts. */
function ordinalsIn(turns: readonly BackendTurn[]): ReadonlySet<number> {
  const [first] = turns
  const text = first?.role === 'user' ? first.text : ''
  return new Set([...text.matchAll(/^\[(\d+),/gm)].map(([, ordinal]) => Number(ordinal)))
}

function editOf({ description, name, tests = [] }: ColumnWish): object {
  return {
    name: name ?? null,
    description: description ?? null,
    operation: null,
    tests: tests.map((test) => ({ name: test, values: null, table: null, column: null })),
  }
}

/** The number by which a plan edit names a column. */
function ordinalOf({ columns }: Table, wanted: string): number | undefined {
  const exact = columns.findIndex(({ name }) => name === wanted)
  const index =
    exact === -1 ? columns.findIndex(({ name }) => name.toLowerCase() === wanted.toLowerCase()) : exact
  return index === -1 ? undefined : index + 1
}

/** @throws {StagecraftError} INVALID_REQUEST for files in conflict. */
function plannedModel(
  item: EditedItem,
  notes: readonly string[],
  { plan, planning }: { readonly plan: ProjectPlan; readonly planning: ModelPlanning },
): PlannedModel {
  const files = ownFiles(item, plan)
  const conflicts = files.flatMap(({ conflicts: reasons, path }) =>
    reasons.map((reason) => `${path}: ${describeConflict(reason)}`),
  )
  if (conflicts.length > 0)
    throw new StagecraftError(
      'INVALID_REQUEST',
      `nothing was proposed: files are in conflict: ${conflicts.slice(0, 5).join('; ')}; a person settles that with stagecraft plan`,
      { details: { conflicts } },
    )
  const [model] = plan.models
  return {
    model: model?.name ?? item.request.source,
    files: plan.files.filter(isChange).map(({ after, before, path }) => ({ path, before, after })),
    items: [printItem(item)],
    notes: [
      ...new Set([
        ...files
          .filter(({ action, path }) => action === 'foreign' && path.endsWith('.sql'))
          .map(({ path }) => `${path} stands for it already; a person wrote it, so that it is left alone`),
        ...files.flatMap(({ notes: own, path }) => own.map((note) => `${path}: ${note}`)),
        ...notes,
        ...(model?.warnings ?? []).map(({ message }) => message),
        ...plan.warnings.map(({ message }) => message),
      ]),
    ],
    evidence: evidenceOf(item, planning),
  }
}

/** Files that concern the table. A plan also looks at those of other tables, whose notes and conflicts are none of its own. */
function ownFiles(item: EditedItem, { files, lock, models }: ProjectPlan): readonly PlannedFile[] {
  const source = lock.get(lockKey(item))?.source
  const names = new Set([...models.map(({ name }) => name), source && `${source.name}.${source.table}`])
  return files.filter(({ covers }) => covers.length === 0 || covers.some((name) => names.has(name)))
}

/** The tests of the model, with the reason of each. */
function evidenceOf(item: EditedItem, { context, dialect }: ModelPlanning): readonly string[] {
  const { llm: _, ...setup } = context
  const [table] = createRun([item], { ...setup, dialect }).tables
  return (table?.explain().columns ?? []).flatMap(({ decisions, name = '' }) =>
    decisions
      .filter(({ about, value }) => about === 'test' && value !== undefined)
      .map(({ reasons, value = '' }) => `${name}: ${value} (${reasons.map(({ text }) => text).join('; ')})`),
  )
}
