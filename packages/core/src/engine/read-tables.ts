import type { Dialect } from '@stagecraft/dialects'
import {
  type Catalog,
  type CatalogTable,
  type Config,
  type NamePart,
  type SourceName,
  StagecraftError,
  type TableSelector,
  type Warning,
} from '@stagecraft/spec'
import { isExcluded } from '../config/settings.ts'
import { isSystemTable } from '../loaders/detect.ts'
import { explainSameColumns } from '../plan/distinct-columns.ts'
import { parseSelector } from '../source-name/parse.ts'
import { printSourceName } from '../source-name/print.ts'
import { storedName } from '../source-name/stored-name.ts'

/** A table and the name it was asked by, spelled as stored. */
export interface ReadTable {
  readonly name: string
  readonly table: CatalogTable
}

export interface ReadTables {
  readonly tables: readonly ReadTable[]
  /** Tables that whoever asks for a whole schema does not mean. */
  readonly warnings: readonly Warning[]
  /** Returns true if all tables of a schema were asked for; its name is given in lower case. */
  readonly isWhole: (schema: string) => boolean
}

export interface ReadOptions {
  readonly dialect: Dialect
  /** Says which tables of whole schemas are not meant. Default: all are. */
  readonly config?: Config
  /** Lists tables without known columns too; nothing can be generated for them. Default false. */
  readonly columnless?: boolean
}

/**
 * Reads every table that the texts name, each once, in the order of the texts. Tables of one schema are read
 * together, so that the number of queries grows with the schemas, not with the tables.
 *
 * @param texts Source names and `schema.*`; empty for the whole catalog.
 * @throws {StagecraftError} INVALID_SOURCE for the first name that the catalog does not have, and where there is
 * nothing at all.
 */
export async function readTables(
  catalog: Catalog,
  texts: readonly string[],
  { columnless = false, config = {}, dialect }: ReadOptions,
): Promise<ReadTables> {
  const asked = texts.length === 0 ? [{}] : texts.map((text) => parseSelector(text, dialect))
  const ranked = new Map<string, ReadTable & { readonly rank: number }>()
  const warnings: Warning[] = []
  for (const group of Map.groupBy(asked, placeOf).values()) {
    for (const { name, reason, table } of await readPlace(catalog, group, { columnless, config, dialect })) {
      if (reason === undefined) ranked.set(name, { name, table, rank: rankOf(table, group, asked) })
      else warnings.push({ code: 'TABLE_LEFT_OUT', message: `${name} is left out: ${reason}` })
    }
  }
  const read = [...ranked.values()].toSorted((a, b) => a.rank - b.rank)
  const whole = new Set(asked.filter(({ tables }) => !tables).map(({ schema }) => schema?.text.toLowerCase()))
  return {
    tables: read.map(({ name, table }) => ({ name, table })),
    warnings,
    isWhole: (schema) => whole.has(schema),
  }
}

interface NameInput {
  readonly catalog: Catalog
  readonly dialect: Dialect
  readonly table: CatalogTable
}

/** A table's name, spelled as stored, with the levels that were asked for and the database that somebody stated. */
export function nameOf(asked: SourceName, { catalog, dialect, table }: NameInput): string {
  const name = storedName(asked, table, dialect)
  const stated = catalog.statesDatabase ? table.database : undefined
  return printSourceName({ ...name, database: name.database ?? stated }, dialect)
}

/** The table with the SQL of its types, where the catalog tells it. */
export function inDialect(table: CatalogTable, { dialect }: Catalog): CatalogTable {
  return dialect === undefined || table.dialect !== undefined ? table : { ...table, dialect }
}

interface FoundTable extends ReadTable {
  /** The reason why it is left out, if any. */
  readonly reason: string | undefined
}

/** Tables of one schema. */
async function readPlace(
  catalog: Catalog,
  group: readonly TableSelector[],
  { columnless, config, dialect }: Required<ReadOptions>,
): Promise<readonly FoundTable[]> {
  const found: FoundTable[] = []
  for (const selector of mergeSelectors(group)) {
    const tables = await catalog.tables(selector)
    await assertComplete(catalog, selector, tables)
    for (const table of tables) {
      if (isLeftOut(table, selector, config)) continue
      const asked = { ...selector, table: { text: table.name, quoted: true } }
      const name = nameOf(asked, { catalog, dialect, table })
      const isListed = columnless && table.columns.length === 0
      const reason = isListed ? undefined : reasonToLeaveOut(table, selector, dialect)
      found.push({ name, table: inDialect(table, catalog), reason })
    }
  }
  return found
}

function placeOf({ database, schema }: TableSelector): string {
  return JSON.stringify([database, schema])
}

/** The place of the first text that names the table. */
function rankOf(
  table: CatalogTable,
  group: readonly TableSelector[],
  asked: readonly TableSelector[],
): number {
  const first = group.find(({ tables }) => tables?.some((part) => isNamed(table, part)) ?? true)
  return first ? asked.indexOf(first) : asked.length
}

/** Only where the table was not asked for by name. */
/** Leaves an excluded table out without a warning; a name in the request wins over the configuration. */
function isLeftOut(table: CatalogTable, { schema, tables }: TableSelector, config: Config): boolean {
  if (tables) return false
  const name = { database: table.database, schema: table.schema ?? schema?.text, table: table.name }
  return isExcluded(config, name, { isSchemaNamed: schema !== undefined })
}

function reasonToLeaveOut(
  table: CatalogTable,
  { tables: asked }: TableSelector,
  dialect: Dialect,
): string | undefined {
  if (asked?.some((part) => isNamed(table, part))) return undefined
  if (table.columns.length === 0) return 'none of its columns are known'
  if (isSystemTable(table.name)) return 'its loader keeps it for itself'
  return explainSameColumns(table, dialect)
}

/** One selector for all of a schema, and one for the tables of it that were asked for by name. */
function mergeSelectors(group: readonly TableSelector[]): readonly TableSelector[] {
  const [first] = group
  if (!first) return []
  const { tables: _, ...place } = first
  const named = group.flatMap(({ tables }) => tables ?? [])
  const isWhole = group.some(({ tables }) => tables === undefined)
  return [...(isWhole ? [place] : []), ...(named.length > 0 ? [{ ...place, tables: named }] : [])]
}

/** Asking for one that is missing by itself gives the error that names its neighbours. */
async function assertComplete(
  catalog: Catalog,
  { tables: wanted, ...place }: TableSelector,
  found: readonly CatalogTable[],
): Promise<void> {
  const missing = wanted ? wanted.find((part) => !found.some((table) => isNamed(table, part))) : ANY
  if (!missing || (missing === ANY && found.length > 0)) return
  if (missing === ANY && !place.schema) {
    throw new StagecraftError('INVALID_SOURCE', 'the catalog has no tables that you may read')
  }
  await catalog.describe({ ...place, table: missing })
}

/** Stands for every table of a schema. */
const ANY: NamePart = { text: '*', quoted: false }

/** Returns true if an unfolded part of a source name may mean the table. */
export function isNamed(table: CatalogTable, part: NamePart): boolean {
  if (table.name === part.text || table.model === part.text) return true
  return !part.quoted && table.name.toLowerCase() === part.text.toLowerCase()
}
