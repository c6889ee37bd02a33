import { createRun, type EditedItem, type GenerateContext, printItem } from '@stagecraft/core/run'
import { describeConflict, isChange, lockKey, type PlannedFile, type ProjectPlan } from '@stagecraft/dbt'
import {
  type Backend,
  type BackendTurn,
  type DialectName,
  StagecraftError,
  type Table,
  type Violation,
  VIOLATIONS,
} from '@stagecraft/spec'
import type { ColumnWish, ModelWish, PlannedModel } from '../tool-ports.ts'

/** The inputs of planning models of a project. */
export interface ModelPlanning {
  /** The inputs of generations of the project. */
  readonly setup: GenerateContext & { readonly dialect: DialectName }
  /** Plans one table for the current project. */
  readonly planItem: (item: EditedItem) => Promise<ProjectPlan>
  /** The hint on how to resolve conflicts. */
  readonly settle: string
}

/**
 * Plans the model of a table with the checked proposals of a language model.
 *
 * @throws {StagecraftError} INVALID_REQUEST for unknown columns, proposals without a usable part, and files in
 * conflict.
 */
export async function planModel(
  table: EditedItem,
  wish: ModelWish,
  planning: ModelPlanning,
): Promise<PlannedModel> {
  const { item, notes } = await editItem(table, wish, planning.setup)
  return plannedModel(item, notes, { planning, plan: await planning.planItem(item) })
}

interface Edited {
  readonly item: EditedItem
  readonly notes: readonly string[]
}

/**
 * Checks the proposals of a language model like answers of a backend, and adds them to the item. Earlier decisions
 * stay where nothing is proposed.
 */
async function editItem(
  item: EditedItem,
  { columns, description }: ModelWish,
  setup: ModelPlanning['setup'],
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
  const backend = answering((turns) => {
    const asked = ordinalsIn(turns)
    const own = edits.filter(({ ordinal }) => ordinal !== undefined && asked.has(ordinal))
    return JSON.stringify({ description: description ?? null, columns: own })
  })
  const [table] = createRun([item], { ...setup, llm: { backend, onFailure: 'error' } }).tables
  try {
    const edited = (await table?.edit())?.item ?? item
    return { item: edited, notes: (edited.notes ?? []).map(({ message }) => message) }
  } catch (error) {
    throw error instanceof StagecraftError ? (unusable(error, item.table) ?? error) : error
  }
}

/** A backend that returns an answer given earlier. */
function answering(answer: (turns: readonly BackendTurn[]) => string): Backend {
  const id = 'proposal'
  return {
    id,
    complete: async ({ turns }) => ({
      stop: 'end',
      rawStop: 'end',
      text: answer(turns),
      toolCalls: [],
      turn: { role: 'assistant', opaque: {} },
      usage: undefined,
      model: id,
    }),
  }
}

/** The error if no proposal is usable: a model by rules alone was not asked for. */
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

/** The columns of one request: wide tables are split into several. */
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

/** The number of a column in a plan edit. */
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
      `nothing was proposed: files are in conflict: ${conflicts.slice(0, 5).join('; ')}; ${planning.settle}`,
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
          .map(({ path }) => `${path} is already its model; a person wrote it, so it is left alone`),
        ...files.flatMap(({ notes: own, path }) => own.map((note) => `${path}: ${note}`)),
        ...notes,
        ...(model?.warnings ?? []).map(({ message }) => message),
        ...plan.warnings.map(({ message }) => message),
      ]),
    ],
    evidence: evidenceOf(item, planning),
  }
}

/** Returns the files of the table. A plan also covers other tables, whose notes and conflicts do not count here. */
function ownFiles(item: EditedItem, { files, lock, models }: ProjectPlan): readonly PlannedFile[] {
  const source = lock.get(lockKey(item))?.source
  const names = new Set([...models.map(({ name }) => name), source && `${source.name}.${source.table}`])
  return files.filter(({ covers }) => covers.length === 0 || covers.some((name) => names.has(name)))
}

/** The tests of the model, with the reason of each. */
function evidenceOf(item: EditedItem, { setup }: ModelPlanning): readonly string[] {
  const [table] = createRun([item], setup).tables
  return (table?.explain().columns ?? []).flatMap(({ decisions, name = '' }) =>
    decisions
      .filter(({ about, value }) => about === 'test' && value !== undefined)
      .map(({ reasons, value = '' }) => `${name}: ${value} (${reasons.map(({ text }) => text).join('; ')})`),
  )
}
