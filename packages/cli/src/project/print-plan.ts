import { styleText } from 'node:util'
import {
  type Drift,
  type DriftKind,
  type FileAction,
  type FileConflict,
  type PlannedFile,
  type PlannedTable,
  type ProjectPlan,
} from '@stagecraft/dbt'
import { escapeInvisible } from '@stagecraft/spec'
import { createTwoFilesPatch } from 'diff'

type Style = Parameters<typeof styleText>[0]

const STYLES: Readonly<Record<FileAction, Style>> = {
  create: 'green',
  update: 'cyan',
  merge: 'cyan',
  unchanged: 'dim',
  conflict: 'red',
  foreign: 'dim',
  orphan: 'yellow',
}

/** Styles text for standard output, if that is a terminal which wants colours. */
function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** Tells whether a plan changes a file. */
export function isChange({ after, before }: PlannedFile): boolean {
  return after !== before
}

/** Prints what changed in the tables, what becomes of the files, and the differences. */
export function printPlan(plan: ProjectPlan): void {
  const shown = plan.files.filter(
    (file) => isChange(file) || file.action !== 'unchanged' || file.notes.length > 0,
  )
  const parts = [
    ...plan.tables.flatMap(describeTable),
    ...(shown.length > 0 ? shown.map(describeFile) : []),
    ...plan.files
      .filter((file) => isChange(file) || file.generated !== undefined)
      .map((file) => `\n${describeDifference(file)}`),
  ]
  process.stdout.write(parts.join(''))
  process.stdout.write(`${parts.length > 0 ? '\n' : ''}${summarize(plan)}\n`)
}

/** Says in a line what a plan does. */
export function summarize({ files }: ProjectPlan): string {
  const count = (actions: readonly FileAction[], changes: boolean): number =>
    files.filter((file) => actions.includes(file.action) && isChange(file) === changes).length
  const parts = [
    [count(['create'], true), 'to create'],
    [count(['update'], true), 'to update'],
    [count(['merge'], true), 'to merge'],
    [count(['orphan'], true), 'to remove'],
    [files.filter(({ action }) => action === 'conflict').length, 'in conflict'],
    [count(['foreign'], false), 'of a person'],
    [count(['unchanged'], false), 'unchanged'],
  ] as const
  const said = parts.filter(([number, what]) => number > 0 || what === 'unchanged')
  return `plan: ${said.map(([number, what]) => `${number} ${what}`).join(', ')}`
}

function describeTable({ drifts, model, source, state }: PlannedTable): readonly string[] {
  if (drifts.length === 0 && state === 'known') return []
  const what = state === 'known' ? '' : state === 'new' ? ' is new' : ' is gone'
  const lines = drifts.map((drift) => `  ${describeDrift(drift)}\n`)
  return [paint('bold', escapeInvisible(`${source}${what} (${model})`)), '\n', ...lines]
}

/** Says what changed in a table: `+ tax numeric`. */
export function describeDrift({ after, before, column, kind }: Drift): string {
  const [was, is] = [escapeInvisible(before ?? 'nothing'), escapeInvisible(after ?? 'nothing')]
  const name = escapeInvisible(column ?? 'table')
  const { style, text } = DRIFT_TEXTS[kind]
  return paint(style, text({ name, was, is, kind }))
}

interface DriftWords {
  readonly name: string
  readonly was: string
  readonly is: string
  readonly kind: DriftKind
}

const another = {
  style: 'yellow',
  text: ({ is, kind, name, was }: DriftWords) => `~ ${name}: ${kind} ${was} → ${is}`,
} as const

const DRIFT_TEXTS: Readonly<
  Record<DriftKind, { readonly style: Style; readonly text: (words: DriftWords) => string }>
> = {
  added: { style: 'green', text: ({ is, name }) => `+ ${name} ${is}` },
  removed: { style: 'red', text: ({ name, was }) => `- ${name} ${was}` },
  renamed: { style: 'yellow', text: ({ name, was }) => `~ ${was} was renamed to ${name}, it seems` },
  retyped: { style: 'yellow', text: ({ is, name, was }) => `~ ${name} ${was} → ${is}` },
  comment: another,
  key: another,
  nullability: another,
  values: another,
}

function describeFile(file: PlannedFile): string {
  const { action, conflicts, notes, path } = file
  const word = action === 'orphan' && isChange(file) ? 'remove' : action
  const lines = [...conflicts.map(describeConflict), ...notes].map(
    (text) => `           ${escapeInvisible(text)}\n`,
  )
  return `${paint(STYLES[action], word.padEnd(9))}  ${path}\n${lines.join('')}`
}

/** Says what is in conflict. */
export function describeConflict(conflict: FileConflict): string {
  if (conflict.kind === 'column') return describeColumnConflict(conflict)
  if (conflict.kind === 'lines') return `line ${conflict.line}: changed by hand and by generation`
  if (conflict.kind === 'yaml') return `line ${conflict.line}: ${conflict.reason}`
  const { model, path } = conflict
  return `${model} is the name of ${path}; give the model another one in stagecraft.yml (sources: … tables: … model:)`
}

function describeColumnConflict(conflict: Extract<FileConflict, { readonly kind: 'column' }>): string {
  const { base, column, reason, wanted = '' } = conflict
  const present = oneLine(conflict.present)
  if (reason === 'removed_but_changed')
    return `column ${column} is gone from the table, and was changed by hand: ${present}`
  return `column ${column}: by hand ${present}, generated before ${oneLine(base)}, now ${oneLine(wanted)}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** Returns a unified diff, coloured on a terminal. */
function describeDifference(file: PlannedFile): string {
  return patchOf(file).split('\n').map(paintLine).join('\n')
}

/** Returns a unified diff as git prints it; of a file in conflict, between what stands there and what is generated. */
export function patchOf({ after: planned, before, generated, path }: PlannedFile): string {
  const after = generated ?? planned
  const names = [
    before === undefined ? '/dev/null' : `a/${path}`,
    after === undefined ? '/dev/null' : `b/${path}`,
  ] as const
  return createTwoFilesPatch(...names, before ?? '', after ?? '')
    .split('\n')
    .slice(1)
    .join('\n')
}

function paintLine(line: string): string {
  const style = line.startsWith('+')
    ? 'green'
    : line.startsWith('-')
      ? 'red'
      : line.startsWith('@@')
        ? 'cyan'
        : undefined
  return style ? paint(style, escapeInvisible(line)) : escapeInvisible(line)
}
