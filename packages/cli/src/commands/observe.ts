import type { Dialect } from '@stagecraft/core'
import {
  type AnswerStore,
  type Budget,
  describeFailure,
  NO_ANSWERS,
  observedCatalog,
  observeIn,
  observeRecorded,
  type Observed,
  printBytes,
  answersOfRows,
  readAnswers,
  type RecordedObserved,
  type TableCost,
} from '@stagecraft/core/inference'
import { locateCatalog, readResultRows } from '@stagecraft/catalogs'
import { type Catalog, type CatalogTable, StagecraftError } from '@stagecraft/spec'
import { openAnswers } from '../files/answers.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { createProgress } from '../terminal/progress.ts'
import { paint } from '../terminal/paint.ts'
import { count, printWarning } from '../terminal/report.ts'
import type { FindJoins } from '../project/project-joins.ts'
import type { Opened } from './shared-flags.ts'

/** Profiles the rows of tables, shows progress, and warns of each table that could not be read. */
export async function observe(
  tables: readonly CatalogTable[],
  opened: Opened,
  { fresh, ...options }: RowsBudget & { readonly asked: string; readonly joins: FindJoins },
): Promise<Observed> {
  const progress = createProgress('profiling')
  try {
    return await observeIn(opened.catalog, tables, {
      ...options,
      answers: await answersOf(opened, fresh),
      on: today(),
      signal: opened.signal,
      onSizes: costNoteOf(opened),
      onObserved: warnOfFailures,
      onProgress: (done, total) => progress.update(done, total),
    })
  } finally {
    progress.stop()
  }
}

interface FromOptions {
  readonly dialect: Dialect
  readonly joins: FindJoins
}

/** Profiles tables from the results in a file or a folder; without one nothing is answered. */
export async function observeFrom(
  tables: readonly CatalogTable[],
  { dialect, file, joins }: FromOptions & { readonly file: string | undefined },
): Promise<RecordedObserved> {
  if (file === undefined) return observeRecorded(tables, { dialect, joins, answers: NO_ANSWERS })
  const rows = await readResultRows(file, '--from')
  if (rows)
    return observeRecorded(tables, { dialect, joins, answers: answersOfRows(rows, file), on: today() })
  const text = await readIfThere(file)
  if (text !== undefined)
    return observeRecorded(tables, { dialect, joins, answers: readAnswers(text, file), on: today() })
  throw StagecraftError.invalid({
    path: 'a file with answers',
    expected: 'a file',
    received: `${file}, which does not exist`,
  })
}

/** Wraps the catalog of `generate --profile-from` so that its tables have the evidence of the results. */
export function withAnswers({ catalog, ...opened }: Opened, file: string, options: FromOptions): Opened {
  const observe = async (tables: readonly CatalogTable[]): Promise<readonly CatalogTable[]> => {
    const observed = await observeFrom(tables, { ...options, file })
    warnOfFailures(observed)
    return observed.tables
  }
  return {
    ...opened,
    catalog: {
      ...catalog,
      tables: async (selector) => observe(await catalog.tables(selector)),
      describe: async (source) => {
        const table = await catalog.describe(source)
        return (await observe([table]))[0] ?? table
      },
    },
  }
}

/** Wraps the catalog of `generate --profile`. */
export async function withObservations(
  opened: Opened,
  { fresh, ...options }: RowsBudget & { readonly joins: FindJoins },
): Promise<Catalog> {
  const progress = createProgress('profiling')
  return observedCatalog(opened.catalog, {
    ...options,
    asked: '--profile',
    answers: await answersOf(opened, fresh),
    on: today(),
    signal: opened.signal,
    onSizes: costNoteOf(opened),
    onProgress: (done, total) => progress.update(done, total),
    onObserved: (observed) => {
      progress.stop()
      warnOfFailures(observed)
    },
  })
}

/** Prints on standard error how much will be read from a server, because reading may cost money and time. */
function costNoteOf({ catalogText }: Opened): ((costs: readonly TableCost[]) => void) | undefined {
  if (!locateCatalog(catalogText).isServer) return undefined
  return (costs) => process.stderr.write(`${paint('cyan', 'note')} profiling ${describeCosts(costs)}\n`)
}

function describeCosts(costs: readonly TableCost[]): string {
  const known = costs.flatMap(({ rows }) => rows ?? [])
  const rows = sum(known).toLocaleString('en-US')
  const unknown = costs.length - known.length
  const read = costs.flatMap(({ bytesRead }) => bytesRead ?? [])
  const size = [
    ...(known.length > 0 ? [`about ${rows} rows in ${count(known.length, 'table')}`] : []),
    ...(unknown > 0 ? [`${count(unknown, 'table')} of unknown size`] : []),
  ].join(', ')
  if (read.length === 0) return `${size}; --max-rows leaves larger tables out`
  const of = read.length === costs.length ? '' : ` for ${count(read.length, 'table')} of them`
  const more = 'lists of values and references read some columns again'
  return `${size}; the first statements read ${printBytes(sum(read))}${of}, and ${more}; --max-bytes leaves larger tables out`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** Reuses stored answers about tables that did not change. */
function answersOf({ catalogText, configFolder }: Opened, fresh = false): Promise<AnswerStore> {
  return openAnswers(configFolder, { address: catalogText, fresh })
}

/** The day in UTC. */
function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** Warns of each table, and of columns, that were not read. */
export function warnOfFailures({ failures }: Pick<Observed, 'failures'>): void {
  for (const failure of failures) printWarning(describeFailure(failure))
}

/** The flags that limit how much is read. */
export interface BudgetFlags {
  /** Skips tables with more rows. */
  readonly maxRows?: string
  /** Skips tables that take more space. */
  readonly maxBytes?: string
  /** Reads tables again even if their rows did not change. */
  readonly fresh?: boolean
}

/** The flags for evidence from rows. */
export interface RowsFlags extends BudgetFlags {
  /** Profiles the rows. */
  readonly profile?: boolean
  /** A file with the results of the statements of `profile --print-sql`. */
  readonly profileFrom?: string
}

type RowsBudget = Budget & Pick<BudgetFlags, 'fresh'>

/** @throws {StagecraftError} INVALID_REQUEST for an invalid number of rows or size. */
export function readBudget({ maxBytes, maxRows, fresh = false }: BudgetFlags): RowsBudget {
  return {
    fresh,
    ...(maxRows !== undefined && { maxRows: readRows(maxRows) }),
    ...(maxBytes !== undefined && { maxBytes: readBytes(maxBytes) }),
  }
}

function readRows(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number > 0) return number
  throw StagecraftError.invalid({
    path: '--max-rows',
    expected: 'a whole number from 1 on',
    received: JSON.stringify(text),
  })
}

const UNITS = ['', 'k', 'm', 'g', 't']

function readBytes(text: string): number {
  const { number, unit = '' } = /^(?<number>\d+(?:\.\d+)?) ?(?<unit>[kmgt]?)b?$/i.exec(text)?.groups ?? {}
  const bytes = Number(number) * 1000 ** UNITS.indexOf(unit.toLowerCase())
  if (number !== undefined && bytes >= 1) return bytes
  throw StagecraftError.invalid({
    path: '--max-bytes',
    expected: 'a size such as 500MB or 20GB',
    received: JSON.stringify(text),
  })
}
