import {
  type InferenceTable,
  type Observed,
  printDbml,
  printMermaidDiagram,
  type Suggestion,
  suggestionsOf,
} from '@stagecraft/core/inference'
import { type CatalogTable, type ColumnProfile, escapeForTerminal, type TableSize } from '@stagecraft/spec'
import { joinsAround } from '../project/project-joins.ts'
import { writeOutput } from '../files/write-beside.ts'
import { readVersion } from '../read-version.ts'
import { paint } from '../terminal/paint.ts'
import { count, describeStorage, printBound, printLengths } from '../terminal/report.ts'
import { type BudgetFlags, observe, observeFrom, readBudget, warnOfFailures } from './observe.ts'
import { printProfilePage } from './profile-page.ts'
import { type CatalogFlags, type Opened, withCatalog } from './shared-flags.ts'
import { dialectOf, readNamed } from './suggest.ts'

/** The forms of a report. */
type ProfileFormat = 'text' | 'json' | 'html' | 'mermaid' | 'dbml'

export interface ProfileFlags extends CatalogFlags, BudgetFlags {
  readonly json?: boolean
  /** @default text */
  readonly format?: ProfileFormat
  /** The file to write instead of standard output. */
  readonly output?: string
  /** Prints the statements to run elsewhere. */
  readonly printSql?: boolean
  /** A file with the results of printed statements. */
  readonly from?: string
}

/** Runs `stagecraft profile`: reports the facts about rows of tables as text or JSON. */
export async function profileCommand(sources: readonly string[], flags: ProfileFlags): Promise<void> {
  await withCatalog(flags, async (opened) => {
    const tables = await readNamed(sources, opened)
    if (flags.printSql || flags.from !== undefined) return profileElsewhere(tables, flags, opened)
    const joins = joinsAround('.', dialectOf(opened), flags)
    report(await observe(tables, opened, { ...readBudget(flags), asked: 'profile', joins }), flags)
  })
}

/** Prints statements to run in an unreachable warehouse, or reports their results. */
async function profileElsewhere(
  tables: readonly CatalogTable[],
  flags: ProfileFlags,
  opened: Opened,
): Promise<void> {
  const dialect = dialectOf(opened)
  const { open, ...observed } = await observeFrom(tables, {
    file: flags.from,
    dialect,
    joins: joinsAround('.', dialect, flags),
  })
  if (!flags.printSql) {
    if (open.length > 0)
      process.stderr.write(
        `${paint('cyan', 'note')} ${count(open.length, 'statement')} not answered yet; --print-sql prints them\n`,
      )
    warnOfFailures(observed)
    return report(observed, flags)
  }
  if (open.length === 0) process.stderr.write(`${paint('cyan', 'note')} all statements are answered\n`)
  process.stdout.write(open.map(({ sql }) => `${sql};\n`).join('\n'))
}

const PRINTERS: Readonly<Record<ProfileFormat, (observed: Observed) => string>> = {
  text: ({ inference, profiles, sizes }) => {
    const suggestions = suggestionsOf(inference, {})
    return profiles.map((one, at) => printProfile(one, suggestions, sizes[at])).join('\n')
  },
  json: ({ profiles, sizes, tables }) => {
    const answer = profiles.map(({ profile }, at) => ({
      table: tables[at],
      profile: profile ?? null,
      ...(sizes[at]?.changedAt !== undefined && { changedAt: sizes[at].changedAt }),
    }))
    return `${JSON.stringify(answer, null, 2)}\n`
  },
  html: (observed) => printProfilePage(observed, { title: 'Raw tables', version: readVersion() }),
  mermaid: ({ inference, profiles }) =>
    printMermaidDiagram(
      profiles.map(({ table }) => table),
      inference,
    ),
  dbml: ({ inference, profiles }) =>
    printDbml(
      profiles.map(({ table }) => table),
      inference,
    ),
}

function report(observed: Observed, { format, json, output }: ProfileFlags): void {
  const text = PRINTERS[format ?? (json ? 'json' : 'text')](observed)
  if (output === undefined) process.stdout.write(text)
  else writeOutput('--output', output, text)
}

/** Prints a proposal on one line: `key: id  97 %  own id, unique in 150 rows`. */
function printSuggestion({ columns, confidence, kind, text, why }: Suggestion): string {
  const names = columns.join(', ')
  const subject = kind === 'key' ? 'key' : kind === 'deleted' ? names : `${names} ${kind}`
  return escapeForTerminal(`  ${subject}: ${text}  (${Math.floor(confidence * 100)} %, ${why})`)
}

function printProfile(
  { profile, table }: InferenceTable,
  suggestions: readonly Suggestion[],
  { changedAt }: TableSize = {},
): string {
  const sample = profile?.sampled ? 'a sample of ' : ''
  const changed = changedAt === undefined ? '' : `, last changed ${printMinute(changedAt)}`
  const title = `${nameOf(table)}: ${profile ? `${sample}${count(profile.rows, 'row')}` : 'not read'}${changed}`
  const width = Math.max(0, ...table.columns.map(({ name }) => escapeForTerminal(name).length))
  const columns = table.columns.flatMap(({ name }) => {
    const column = profile?.columns[name]
    if (!profile) return []
    return [`  ${escapeForTerminal(name).padEnd(width)}  ${column ? describeColumn(column) : 'not read'}`]
  })
  const found = suggestions.filter((one) => one.table === table).map(printSuggestion)
  const kept = describeStorage(table.storage).map((text) => escapeForTerminal(`  ${text}`))
  return `${[title, ...kept, ...columns, ...found].join('\n')}\n`
}

/** `2026-01-31 10:00 UTC` */
function printMinute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}

/** The maximum number of values on one line. */
const LISTED_VALUES = 8

function describeColumn(column: ColumnProfile): string {
  const { approximate, distinct, max, maxLength, min, minLength, nulls, values = [] } = column
  const bounds = min === undefined || max === undefined ? [] : [`${printBound(min)} to ${printBound(max)}`]
  const lengths = minLength === undefined ? [] : [printLengths(minLength, maxLength)]
  const shown = values.slice(0, LISTED_VALUES).map(({ rows, value }) => `${value} (${rows})`)
  const listed = escapeForTerminal(`${shown.join(', ')}${values.length > LISTED_VALUES ? ', …' : ''}`)
  return [
    ...(distinct === undefined ? [] : [`${approximate ? 'about ' : ''}${distinct} distinct`]),
    ...(nulls > 0 ? [count(nulls, 'null')] : []),
    ...bounds,
    ...lengths,
    ...(values.length > 0 ? [listed] : []),
  ].join(', ')
}

function nameOf({ name, schema }: CatalogTable): string {
  return escapeForTerminal(schema === undefined ? name : `${schema}.${name}`)
}
