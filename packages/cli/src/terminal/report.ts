import type { EngineAnswer, ProjectGeneration } from '@stagecraft/core'
import type { EditReport } from '@stagecraft/core/run'
import {
  type Catalog,
  type GeneratedFile,
  type TableStorage,
  type Usage,
  type Warning,
  type WarningCode,
} from '@stagecraft/spec'
import { EXIT_CODES } from '../exit-codes.ts'
import { paint } from './paint.ts'
import { toShown } from './to-shown.ts'

/** Prints files one after another, each below its path in a comment. */
export function printFiles(files: readonly GeneratedFile[]): void {
  const texts = files.map(({ content, path }) => `${path.endsWith('.sql') ? '--' : '#'} ${path}\n${content}`)
  process.stdout.write(texts.join('\n'))
}

/** The number of warnings and files to list; the rest is counted. */
export const LISTED = 20

/**
 * Prints the messages of a catalog on standard error; assumptions are notes.
 *
 * @param known Earlier messages, which are not printed again.
 */
export function printCatalogWarnings(catalog: Catalog, known: readonly Warning[] = []): void {
  const before = new Set(known.map(({ message }) => message))
  const warnings = catalog.warnings?.filter(({ message }) => !before.has(message)) ?? []
  for (const { code, message } of warnings.slice(0, LISTED)) {
    const label = code === 'DIALECT_ASSUMED' ? paint('cyan', `note[${code}]`) : warningLabel(code)
    process.stderr.write(`${label} ${toShown(message)}\n`)
  }
  const rest = warnings.slice(LISTED)
  if (rest.length > 0)
    process.stderr.write(`${paint('yellow', 'warning')} and ${rest.length} more: ${countCodes(rest)}\n`)
  printHint(warnings.filter(({ code }) => code !== 'DIALECT_ASSUMED'))
}

/** The number of models to name if many have the same warning. */
const NAMED = 3

/**
 * Prints warnings on standard error, each with its models; of many, the first, and a count per code. Those after which
 * dbt fails come before all others. A message about several models is printed once.
 */
export function printWarnings({ models, warnings }: Pick<ProjectGeneration, 'models' | 'warnings'>): void {
  const byModel = models.flatMap(({ name, warnings: own }) => own.map((warning) => ({ name, warning })))
  const alike = Map.groupBy(byModel, ({ warning }) => `${warning.code}\0${warning.message}`)
  const all = [
    ...warnings.map((warning) => ({ subject: '', warning })),
    ...[...alike.values()].flatMap((group) => {
      const [first] = group
      return first ? { subject: `${nameSome(group.map(({ name }) => name))}: `, warning: first.warning } : []
    }),
  ]
  const ordered = all.toSorted((a, b) => Number(stopsDbt(b.warning)) - Number(stopsDbt(a.warning)))
  for (const { subject, warning } of ordered.slice(0, LISTED)) {
    const text = toShown(`${subject}${warning.message}`)
    process.stderr.write(`${warningLabel(warning.code)} ${text}\n`)
  }
  const rest = ordered.slice(LISTED).map(({ warning }) => warning)
  if (rest.length > 0) {
    const more = `and ${rest.length} more: ${countCodes(rest)}; --json lists them`
    process.stderr.write(`${paint('yellow', 'warning')} ${more}\n`)
  }
  printHint(all.map(({ warning }) => warning))
}

function warningLabel(code: WarningCode): string {
  return paint('yellow', `warning[${code}]`)
}

/** Prints a warning without a model. */
export function printWarning({ code, message }: Warning): void {
  process.stderr.write(`${warningLabel(code)} ${toShown(message)}\n`)
}

/** Warnings about a missing optional package. Any other one is explained first. */
const ABOUT_PACKAGES: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'COMPOSITE_KEY_WITHOUT_PACKAGE',
  'RANGE_WITHOUT_PACKAGE',
])

/** Warnings after which dbt fails until somebody acts. These are printed and explained before all others. */
const STOPS_DBT: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'COLUMN_GONE',
  'COLUMN_STILL_READ',
  'MODEL_STILL_READ',
  'SOURCE_STILL_READ',
])

function stopsDbt({ code }: Warning): boolean {
  return STOPS_DBT.has(code)
}

/** Prints the command that explains warnings, with the code that matters most. */
function printHint(warnings: readonly Warning[]): void {
  const { code } =
    warnings.find(stopsDbt) ??
    warnings.find((warning) => !ABOUT_PACKAGES.has(warning.code)) ??
    warnings[0] ??
    {}
  if (code !== undefined) process.stderr.write(`  stagecraft explain ${code} shows cause and remedy\n`)
}

/** Prints the messages about a run as a whole. Those about tables are in the answers. */
export function printRunWarnings(warnings: readonly Warning[]): void {
  printWarnings({ models: [], warnings })
}

function nameSome(names: readonly string[]): string {
  const rest = names.length - NAMED
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ')
}

function countCodes(warnings: readonly Warning[]): string {
  const codes = Map.groupBy(warnings, ({ code }) => code)
  return [...codes].map(([code, group]) => `${group.length} ${code}`).join(', ')
}

/**
 * Prints the work and cost of the backend, and why tables use rules; nothing if no table was asked about. If the
 * backend helped for no table, the exit code shows it.
 */
export function reportEditing(
  reports: readonly EditReport[],
  { milliseconds }: { milliseconds: number },
): void {
  if (reports.length === 0) return
  const by = (from: EditReport['from']) => reports.filter((report) => report.from === from)
  const [cached, fallen] = [by('cache'), by('rules')]
  const usage = reports.map((report) => report.usage)
  const sum = (of: (usage: Usage) => number) => usage.reduce((total, one) => total + of(one), 0)
  const [read, written] = [sum(({ input }) => input), sum(({ output }) => output)]
  const tokens = `${usage.some(({ incomplete }) => incomplete) ? 'at least ' : ''}${count(read + written, 'token')}`
  const tables = `${count(by('model').length, 'table')} by the model, ${cached.length} from the cache, ${fallen.length} by the rules`
  const repeated = cached.reduce((total, report) => total + report.usage.attempts, 0)
  const calls = count(sum(({ attempts }) => attempts) - repeated, 'call')
  const saved = repeated > 0 ? ` (${repeated} from the cache)` : ''
  const cost = `${calls}${saved}, ${tokens} (${read} read, ${written} written)`
  process.stderr.write(`language model: ${tables}; ${cost}, ${seconds(milliseconds)}\n`)
  for (const [cause, alike] of Map.groupBy(fallen, (report) => report.cause)) {
    process.stderr.write(`${count(alike.length, 'table')} without a usable answer: ${cause}\n`)
  }
  if (fallen.length === reports.length) process.exitCode = EXIT_CODES.GENERATION_FAILED
}

/** Returns the backend's part in an answer; undefined if no backend was asked. */
export function reportOf({ data, meta }: Pick<EngineAnswer, 'data' | 'meta'>): EditReport | undefined {
  const { cached, fallback, usage } = meta
  if (!usage) return undefined
  if (!fallback) return { usage, from: cached ? 'cache' : 'model' }
  const cause = data.warnings.find(({ code }) => code === 'BACKEND_FAILED')?.message
  return { usage, from: 'rules', ...(cause !== undefined && { cause }) }
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

const STORAGE_WORDS = {
  partitionedBy: 'partitioned by',
  clusteredBy: 'clustered by',
  sortedBy: 'sorted by',
  distributedBy: 'distributed by',
} as const satisfies Record<keyof TableStorage, string>

/** Describes the storage of a table's rows, one phrase for each fact: `partitioned by day`. */
export function describeStorage(storage: TableStorage | undefined): readonly string[] {
  return Object.entries(STORAGE_WORDS).flatMap(([member, words]) => {
    const list = storage?.[member as keyof TableStorage]
    return list ? [`${words} ${list.join(', ')}`] : []
  })
}

/** Describes the length of texts: `2 characters`, `3 to 18 characters`. */
export function printLengths(min: number, max = min): string {
  return min === max ? count(min, 'character') : `${min} to ${max} characters`
}

/** Prints the least or the greatest value; of numbers that do not fit into 53 bits, the first digits. */
export function printBound(bound: number | string): string {
  const isRounded = typeof bound === 'number' && Math.abs(bound) > Number.MAX_SAFE_INTEGER
  return isRounded ? `about ${bound.toExponential(3)}` : String(bound)
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
