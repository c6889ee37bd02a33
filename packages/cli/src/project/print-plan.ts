import {
  type ChangedFile,
  countFiles,
  describeConflict,
  type Drift,
  type DriftKind,
  type ExcludedTable,
  type FileAction,
  isChange,
  patchOf,
  type PlannedFile,
  type PlannedTable,
  type ProjectPlan,
} from '@stagecraft/dbt'
import { escapeForTerminal } from '@stagecraft/spec'
import { paintOutput as paint, type Style } from '../terminal/paint.ts'

const STYLES: Readonly<Record<FileAction, Style>> = {
  create: 'green',
  update: 'cyan',
  merge: 'cyan',
  unchanged: 'dim',
  conflict: 'red',
  foreign: 'dim',
  orphan: 'yellow',
}

/** Prints the changes of tables, the actions on files, and the differences. */
export function printPlan(plan: ProjectPlan): void {
  const shown = plan.files.filter(
    (file) => isChange(file) || file.action !== 'unchanged' || file.notes.length > 0,
  )
  const parts = [
    ...plan.tables.flatMap((table) => describeTable(table, plan)),
    ...(plan.excluded ?? []).map((table) => describeExcluded(table, plan)),
    ...(shown.length > 0 ? shown.map(describeFile) : []),
    ...plan.files
      .filter((file) => isChange(file) || file.marked !== undefined)
      .map((file) => `\n${describeDifference(file)}`),
  ]
  process.stdout.write(parts.join(''))
  process.stdout.write(`${parts.length > 0 ? '\n' : ''}${summarize(plan)}\n`)
}

/** Summarizes a plan, or its result, in one line. */
export function summarize(plan: ProjectPlan, { isDone = false }: { readonly isDone?: boolean } = {}): string {
  const { conflict, create, foreign, merge, remove, unchanged, update } = countFiles(plan)
  const parts = [
    [create, isDone ? 'created' : 'to create'],
    [update, isDone ? 'updated' : 'to update'],
    [merge, isDone ? 'merged' : 'to merge'],
    [remove, isDone ? 'removed' : 'to remove'],
    [conflict, 'in conflict'],
    [foreign, 'hand-written'],
    [unchanged, 'unchanged'],
  ] as const
  const said = parts.filter(([number, what]) => number > 0 || what === 'unchanged')
  return `${isDone ? 'applied' : 'plan'}: ${said.map(([number, what]) => `${number} ${what}`).join(', ')}`
}

function describeTable(
  { drifts, model, source, state }: PlannedTable,
  { files }: ProjectPlan,
): readonly string[] {
  if (drifts.length === 0 && state === 'known') return []
  const isOwn = files.some(
    ({ action, covers, path }) => action === 'foreign' && path.endsWith('.sql') && covers.includes(model),
  )
  const what = isOwn
    ? `has your model ${model}`
    : `${state === 'known' ? '' : state === 'new' ? 'is new ' : 'is gone '}(${model})`
  const lines = drifts.map((drift) => `  ${describeDrift(drift)}\n`)
  return [paint('bold', escapeForTerminal(`${source} ${what}`)), '\n', ...lines]
}

/** A model that pruning removes is listed with its file. */
function describeExcluded({ model, path, source }: ExcludedTable, { files }: ProjectPlan): string {
  const title = paint('bold', escapeForTerminal(`${source} (${model})`))
  const isPlanned = files.some((file) => file.path === path)
  const rest = isPlanned
    ? ''
    : '  its files stay as they are; --prune removes them, and stagecraft forget keeps them\n'
  return `${title} is excluded by stagecraft.yml\n${rest}`
}

/** Prints a change of a table: `+ tax numeric`. */
export function describeDrift(drift: Drift): string {
  const [was, is] = changedTexts(drift).map((text) => text && escapeForTerminal(text))
  const name = escapeForTerminal(drift.column ?? 'table')
  const { style, text } = DRIFT_TEXTS[drift.kind]
  return paint(style, text({ name, was, is, kind: drift.kind }))
}

/** Returns the texts before and after; of keys, only those that differ. */
function changedTexts({
  after,
  before,
  kind,
}: Drift): readonly [was: string | undefined, is: string | undefined] {
  if (kind !== 'key') return [before, after]
  const [was, is] = [before, after].map((text) => text?.split('; ') ?? [])
  const without = (keys: readonly string[] = [], others: readonly string[] = []): string | undefined =>
    keys.filter((key) => !others.includes(key)).join('; ') || undefined
  return [without(was, is), without(is, was)]
}

interface DriftWords {
  readonly name: string
  readonly was: string | undefined
  readonly is: string | undefined
  readonly kind: DriftKind
}

const another = {
  style: 'yellow',
  text({ is, kind, name, was }: DriftWords) {
    if (was === undefined) return `~ ${name}: ${kind} added: ${is}`
    return is === undefined ? `~ ${name}: ${kind} removed: ${was}` : `~ ${name}: ${kind} ${was} → ${is}`
  },
} as const

const DRIFT_TEXTS: Readonly<
  Record<DriftKind, { readonly style: Style; readonly text: (words: DriftWords) => string }>
> = {
  added: { style: 'green', text: ({ is, name }) => `+ ${name} ${is}` },
  removed: { style: 'red', text: ({ name, was }) => `- ${name} ${was}` },
  renamed: { style: 'yellow', text: ({ is, was }) => `~ ${was} was probably renamed to ${is}` },
  retyped: { style: 'yellow', text: ({ is, name, was }) => `~ ${name} ${was} → ${is}` },
  comment: another,
  key: another,
  nullability: {
    style: 'yellow',
    text: ({ is, name }) => `~ ${name}: now ${is === 'null' ? 'nullable' : is}`,
  },
  values: another,
}

function describeFile(file: PlannedFile): string {
  const { action, conflicts, notes, path } = file
  const word = action === 'orphan' && isChange(file) ? 'remove' : action
  const lines = [...conflicts.map(describeConflict), ...notes].map(
    (text) => `           ${escapeForTerminal(text)}\n`,
  )
  return `${paint(STYLES[action], word.padEnd(9))}  ${escapeForTerminal(path)}\n${lines.join('')}`
}

/** Returns a unified diff, coloured on a terminal. */
export function describeDifference(file: ChangedFile): string {
  return patchOf(file).split('\n').map(paintLine).join('\n')
}

function paintLine(line: string): string {
  const style = line.startsWith('+')
    ? 'green'
    : line.startsWith('-')
      ? 'red'
      : line.startsWith('@@')
        ? 'cyan'
        : undefined
  // A Windows line end.
  const shown = line.endsWith('\r') ? `${escapeForTerminal(line.slice(0, -1))}\r` : escapeForTerminal(line)
  return style ? paint(style, shown) : shown
}
