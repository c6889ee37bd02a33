import { nearest } from '@stagecraft/analysis'
import { DIALECTS, type Dialect } from '@stagecraft/core'
import {
  type Inference,
  infer,
  isAcceptedByAll,
  type Suggestion,
  suggestionData,
  suggestionsOf,
} from '@stagecraft/core/inference'
import { readTables } from '@stagecraft/core/run'
import { editYaml } from '@stagecraft/dbt'
import { type CatalogTable, type DialectName, escapeForTerminal, StagecraftError } from '@stagecraft/spec'
import { join } from 'node:path'
import { loadConfig } from '../files/load-config.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { writeBeside } from '../files/write-beside.ts'
import { COMMON_DIALECT } from '../project/choose-dialect.ts'
import { openProject } from '../project/open-project.ts'
import { joinsAround } from '../project/project-joins.ts'
import { paint } from '../terminal/paint.ts'
import { count, printCatalogWarnings } from '../terminal/report.ts'
import { observe, observeFrom, readBudget, type RowsFlags, warnOfFailures } from './observe.ts'
import { type CatalogFlags, type Opened, withCatalog } from './shared-flags.ts'
import { withoutBuilt } from './without-built.ts'

export interface SuggestFlags extends CatalogFlags, RowsFlags {
  /** The ids of suggestions to write into the configuration; `all` for those with evidence besides names. */
  readonly accept?: readonly string[]
  readonly json?: boolean
}

/** Runs `stagecraft suggest`: lists undeclared keys and references with their evidence, and accepts selected ones. */
export async function suggestCommand(sources: readonly string[], flags: SuggestFlags): Promise<void> {
  await withCatalog(flags, async (given) => {
    const opened = withoutBuilt(given, await openProject('.', flags), {
      leftovers: true,
    })
    const inference = await inferTables(sources, flags, opened)
    const suggestions = suggestionsOf(inference, opened.config)
    if (flags.accept) {
      await accept(chosen(flags.accept, suggestions, flags), flags)
      if (flags.accept.includes('all')) noteLeftOut(suggestions)
      return
    }
    process.stdout.write(
      flags.json
        ? `${JSON.stringify(suggestions.map(suggestionData), null, 2)}\n`
        : printSuggestions(suggestions),
    )
  })
}

/** Reads the named tables, or all. */
export async function readNamed(
  sources: readonly string[],
  opened: Opened,
): Promise<readonly CatalogTable[]> {
  printCatalogWarnings(opened.catalog)
  const { tables } = await readTables(opened.catalog, sources, { dialect: dialectOf(opened) })
  return tables.map(({ table }) => table)
}

/** Returns the dialect for reading names. */
export function dialectOf({ dialect = COMMON_DIALECT }: Pick<Opened, 'dialect'>): Dialect<DialectName> {
  return DIALECTS[dialect]
}

async function inferTables(
  sources: readonly string[],
  flags: SuggestFlags,
  opened: Opened,
): Promise<Inference> {
  const tables = await readNamed(sources, opened)
  const dialect = dialectOf(opened)
  const joins = joinsAround('.', dialect, flags)
  if (flags.profileFrom !== undefined) {
    const observed = await observeFrom(tables, { file: flags.profileFrom, dialect, joins })
    warnOfFailures(observed)
    return observed.inference
  }
  if (flags.profile)
    return (await observe(tables, opened, { ...readBudget(flags), asked: '--profile', joins })).inference
  return infer(
    tables.map((table) => ({ table })),
    { dialect, joins: await joins(tables) },
  )
}

function printSuggestions(suggestions: readonly Suggestion[]): string {
  if (suggestions.length === 0) return 'nothing to suggest\n'
  const width = Math.max(...suggestions.map(({ id }) => escapeForTerminal(id).length))
  const lines = suggestions.map(({ confidence, id, setting, text, why }) => {
    const share = `${Math.floor(confidence * 100)} %`.padStart(4)
    const note = setting ? '' : paint('dim', ' (a note without a setting)')
    return `${escapeForTerminal(id).padEnd(width)}  ${share}  ${escapeForTerminal(text)}  ${paint('dim', escapeForTerminal(why))}${note}\n`
  })
  const settings = suggestions.filter(({ setting }) => setting).length
  const hint =
    settings === 0
      ? ''
      : `\n${count(settings, 'suggestion')} can be accepted: --accept <id...>, or --accept all\n`
  return `${lines.join('')}${hint}`
}

/** @throws {StagecraftError} INVALID_REQUEST for an unknown id, or for a suggestion that no setting can express. */
function chosen(
  ids: readonly string[],
  suggestions: readonly Suggestion[],
  flags: SuggestFlags,
): readonly Suggestion[] {
  if (ids.includes('all')) return suggestions.filter(isAcceptedByAll)
  return ids.map((id) => {
    const found = suggestions.find((one) => one.id === id) ?? withoutQuotes(id, suggestions)
    if (found?.setting) return found
    throw notAcceptable(id, { found, flags, acceptable: suggestions.filter(({ setting }) => setting) })
  })
}

/** Names the suggestions that `--accept all` left out. */
function noteLeftOut(suggestions: readonly Suggestion[]): void {
  const ids = suggestions.filter((one) => one.setting && !isAcceptedByAll(one)).map(({ id }) => id)
  if (ids.length === 0) return
  process.stderr.write(
    `${paint('cyan', 'note')} ${count(ids.length, 'suggestion')} not accepted, because accepted settings are tested as errors, and these come from names alone, have exceptions, or only the rows show them; to accept them: --accept ${ids.map(escapeForTerminal).join(' ')}\n`,
  )
}

/** Finds the single suggestion of an id without quotes, as headings of `profile` print it. */
function withoutQuotes(id: string, suggestions: readonly Suggestion[]): Suggestion | undefined {
  const alike = suggestions.filter((one) => one.id.replaceAll('"', '') === id.replaceAll('"', ''))
  return alike.length === 1 ? alike[0] : undefined
}

interface NotAcceptable {
  /** The suggestion that no setting can express. @default the id is unknown */
  readonly found: Suggestion | undefined
  readonly acceptable: readonly Suggestion[]
  readonly flags: SuggestFlags
}

function notAcceptable(id: string, { acceptable, flags, found }: NotAcceptable): StagecraftError {
  const ids = acceptable.map((one) => one.id)
  const alike = ids.filter((one) => one.includes(id.split(':')[0] ?? id))
  const names = (alike.length > 0 ? alike : ids).slice(0, 3)
  const closest = found ? undefined : nearest(id, ids)
  const looksAtRows = flags.profile || flags.profileFrom !== undefined
  const hints = [
    ...(closest === undefined ? [] : [`did you mean ${closest}?`]),
    ...(found || looksAtRows ? [] : ['suggestions that need the rows require --profile']),
  ]
  return StagecraftError.invalid(
    {
      path: '--accept',
      expected:
        names.length > 0
          ? `a suggestion such as ${names.join(', ')}`
          : 'a suggestion with a setting; there is none',
      received: found ? `"${id}", for which stagecraft.yml has no setting` : `"${id}"`,
    },
    hints.length > 0 ? { suggestion: hints.join('; ') } : {},
  )
}

/** Writes settings into the configuration, as many as possible, and prints the result of each. */
async function accept(suggestions: readonly Suggestion[], flags: SuggestFlags): Promise<void> {
  const { file, folder } = await loadConfig(flags.config)
  const path = file ?? join(folder, 'stagecraft.yml')
  const settings = suggestions.flatMap(({ id, setting }) => (setting ? [{ id, ...setting }] : []))
  const { outcomes, text } = editYaml(
    { path, text: (await readIfThere(path)) ?? '' },
    settings.map(({ path: place, value }) => ({ kind: 'set-value', path: place, value })),
  )
  const done = outcomes.filter(({ status }) => status === 'done').length
  if (done > 0) writeBeside(path, text).place()
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'done' || outcome.status === 'unneeded') continue
    const { line, reason } = outcome
    process.stderr.write(
      `${paint('yellow', 'not accepted')} ${settings[at]?.id}: ${path}:${line}: ${reason}\n`,
    )
  }
  process.stdout.write(`${count(done, 'suggestion')} written to ${path}\n`)
}
