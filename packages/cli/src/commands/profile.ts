import { DIALECTS } from '@stagecraft/core'
import { infer, type Inference, type InferenceTable, type Proposal } from '@stagecraft/core/inference'
import { readTables } from '@stagecraft/core/run'
import { type CatalogTable, type ColumnProfile, escapeInvisible } from '@stagecraft/spec'
import { count, printCatalogWarnings } from '../terminal/report.ts'
import { observe } from './observe.ts'
import { type CatalogFlags, type Opened, withCatalog } from './shared-flags.ts'

export interface ProfileFlags extends CatalogFlags {
  readonly json?: boolean
}

export interface SuggestFlags extends ProfileFlags {
  /** Look at the rows, too. */
  readonly profile?: boolean
}

/** Runs `stagecraft profile`: what the rows of tables hold and keep, as a report or as JSON. */
export async function profileCommand(sources: readonly string[], flags: ProfileFlags): Promise<void> {
  await withCatalog(flags, async (opened) => {
    const tables = await readAll(sources, flags, opened)
    const { inference, profiles, tables: observed } = await observe(tables, opened, 'profile')
    if (flags.json) {
      const answer = profiles.map(({ profile }, at) => ({ table: observed[at], profile: profile ?? null }))
      process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
      return
    }
    process.stdout.write(profiles.map((one) => printProfile(one, inference)).join('\n'))
  })
}

/** Runs `stagecraft suggest`: keys and references that nobody declared, with what stands behind each. */
export async function suggestCommand(sources: readonly string[], flags: SuggestFlags): Promise<void> {
  await withCatalog(flags, async (opened) => {
    const tables = await readAll(sources, flags, opened)
    const inference = flags.profile
      ? (await observe(tables, opened, '--profile')).inference
      : await infer(
          tables.map((table) => ({ table })),
          { dialect: dialectOf(flags, opened) },
        )
    const text = flags.json
      ? `${JSON.stringify(toJson(inference), null, 2)}\n`
      : [...keyLines(inference), ...referenceLines(inference)].map((line) => `${line}\n`).join('')
    process.stdout.write(text)
  })
}

async function readAll(
  sources: readonly string[],
  flags: CatalogFlags,
  opened: Opened,
): Promise<readonly CatalogTable[]> {
  printCatalogWarnings(opened.catalog)
  const { tables } = await readTables(opened.catalog, sources, { dialect: dialectOf(flags, opened) })
  return tables.map(({ table }) => table)
}

function dialectOf({ dialect }: CatalogFlags, { catalog, config }: Opened) {
  return DIALECTS[dialect ?? config.dialect ?? catalog.dialect ?? 'duckdb']
}

function keyLines({ keys }: Inference): readonly string[] {
  return keys
    .filter(({ origin }) => origin !== 'declared')
    .map((key) => `key        ${nameOf(key.table)} (${names(key.columns)})  ${reason(key)}`)
}

function referenceLines({ references }: Inference): readonly string[] {
  return references.map(({ child, parent, values, ...proposal }) => {
    const orphans = values && values.orphans > 0 ? `, ${count(values.orphans, 'value')} without a parent` : ''
    const ends = `${nameOf(child.table)} (${names(child.columns)}) -> ${nameOf(parent.table)} (${names(parent.columns)})`
    return `reference  ${ends}  ${reason(proposal)}${orphans}`
  })
}

/** `by name and rows, table_name, 96 %`. */
function reason({ confidence, origin, rule }: Proposal): string {
  const source = origin === 'data' ? 'names and rows' : 'names'
  return `by ${source}: ${rule.replaceAll('_', ' ')}, ${Math.floor(confidence * 100)} %`
}

function printProfile({ profile, table }: InferenceTable, inference: Inference): string {
  const title = `${nameOf(table)}: ${profile ? count(profile.rows, 'row') : 'not read'}`
  const width = Math.max(0, ...table.columns.map(({ name }) => escapeInvisible(name).length))
  const columns = table.columns.flatMap(({ name }) => {
    const column = profile?.columns[name]
    return column ? [`  ${escapeInvisible(name).padEnd(width)}  ${describeColumn(column)}`] : []
  })
  const own: Inference = {
    keys: inference.keys.filter((key) => key.table === table),
    references: inference.references.filter(({ child }) => child.table === table),
  }
  const found = [...keyLines(own), ...referenceLines(own)].map((line) => `  ${line}`)
  return `${[title, ...columns, ...found].join('\n')}\n`
}

function describeColumn({ distinct, max, maxLength, min, minLength, nulls }: ColumnProfile): string {
  const bounds = min === undefined || max === undefined ? [] : [`${min} to ${max}`]
  const lengths = minLength === undefined ? [] : [`${minLength} to ${maxLength ?? minLength} characters`]
  return [
    ...(distinct === undefined ? [] : [`${distinct} distinct`]),
    ...(nulls > 0 ? [count(nulls, 'null')] : []),
    ...bounds,
    ...lengths,
  ].join(', ')
}

function nameOf({ name, schema }: CatalogTable): string {
  return escapeInvisible(schema === undefined ? name : `${schema}.${name}`)
}

function names(columns: readonly string[]): string {
  return escapeInvisible(columns.join(', '))
}

function toJson({ keys, references }: Inference): object {
  return {
    keys: keys.map((key) => ({ ...key, table: nameOf(key.table) })),
    references: references.map(({ child, parent, ...reference }) => ({
      child: { ...child, table: nameOf(child.table) },
      parent: { ...parent, table: nameOf(parent.table) },
      ...reference,
    })),
  }
}
