import type { Dialect } from '@stagecraft/dialects'
import {
  type Catalog,
  type CatalogTable,
  type Config,
  type GenerationRequest,
  generationRequestSchema,
  type NamePart,
  type SourceName,
  StagecraftError,
  type TableSelector,
  type Warning,
} from '@stagecraft/spec'
import { isExcluded, resolveDialect } from '../config/settings.ts'
import { isSystemTable } from '../loaders/detect.ts'
import { explainSameColumns, type GenerateContext, type GenerateItem, settingsOf } from '../run/run-item.ts'
import { parseSelector, parseSourceName, printSourceName, storedName } from '../source-name.ts'
import { validate } from '@stagecraft/spec/validate'
import { modelNameOf } from '../plan/subject.ts'

/** A table and its requested name, spelled as stored. */
export interface ReadTable {
  readonly name: string
  readonly table: CatalogTable
}

/** The tables that a text names, or the reason why it names none. */
type ReadOutcome = { readonly tables: readonly ReadTable[] } | { readonly error: StagecraftError }

export interface ReadTables {
  /** One entry per text, in that order. A table that several texts name is in each of them. */
  readonly outcomes: readonly ReadOutcome[]
  /** All of their tables, each once, in the order of the texts. */
  readonly tables: readonly ReadTable[]
  /** Tables that a request for a whole schema does not include. */
  readonly warnings: readonly Warning[]
  /** The names of those tables. */
  readonly leftOut: readonly string[]
  /** Returns true if all tables of a schema were requested; its name is given in lower case. */
  readonly isWhole: (schema: string) => boolean
}

export interface ReadOptions {
  readonly dialect: Dialect
  /** Selects the tables of whole schemas to leave out. Default: none. */
  readonly config?: Config
  /** Lists tables without known columns too; nothing can be generated for them. Default false. */
  readonly columnless?: boolean
  /** Each text names one table: `schema.*` is refused, and the catalog resolves ambiguous names. Default false. */
  readonly exact?: boolean
  /** Records the error of a text that names no table and reads the others. Default false: the error is thrown. */
  readonly keepsGoing?: boolean
  /** Stops between two queries. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads every table that the texts name. Tables of one schema are read together, so that the number of queries grows
 * with the schemas, not with the tables.
 *
 * @param texts Source names and `schema.*`; empty for the whole catalog.
 * @throws {StagecraftError} INVALID_REQUEST or INVALID_SOURCE for the first text that names no table, unless
 * `keepsGoing`; INVALID_SOURCE when every table of whole schemas is left out; CONNECTION_FAILED when the catalog cannot
 * be read.
 */
export async function readTables(
  catalog: Catalog,
  texts: readonly string[],
  options: ReadOptions,
): Promise<ReadTables> {
  const { exact = false, keepsGoing = false } = options
  const asked = texts.length === 0 && !exact ? [WHOLE_CATALOG] : texts.map((text) => parse(text, options))
  const faulty = asked.find((one) => 'error' in one)
  if (faulty && !keepsGoing) throw faulty.error
  const selectors = asked.flatMap((one) => ('selector' in one ? one.selector : []))
  const reader = new PlaceReader(catalog, selectors, options)
  const outcomes: ReadOutcome[] = []
  for (const one of asked) {
    const outcome = 'error' in one ? one : await attempt(() => reader.read(one.selector))
    if (!keepsGoing && 'error' in outcome) throw outcome.error
    outcomes.push(outcome)
  }
  const tables = new Map(
    outcomes.flatMap((one) => ('tables' in one ? one.tables : [])).map((one) => [one.name, one]),
  )
  const left = [...reader.leftOut.values()]
  const isNothingLeft = tables.size === 0 && left.length > 0 && !outcomes.some((one) => 'error' in one)
  if (isNothingLeft) throw nothingLeft(left)
  const whole = new Set(
    selectors.filter((one) => !one.tables).map(({ schema }) => schema?.text.toLowerCase()),
  )
  return {
    outcomes,
    tables: [...tables.values()],
    warnings: left,
    leftOut: [...reader.leftOut.keys()],
    isWhole: (schema) => whole.has(schema),
  }
}

/** The number of reasons to list if every table has one. */
const NAMED_REASONS = 3

function nothingLeft(warnings: readonly Warning[]): StagecraftError {
  const reasons = warnings.slice(0, NAMED_REASONS).map(({ message }) => message)
  const rest = warnings.length > NAMED_REASONS ? `; and ${warnings.length - NAMED_REASONS} more` : ''
  return new StagecraftError('INVALID_SOURCE', `no tables remain: ${reasons.join('; ')}${rest}`)
}

type Asked = { readonly selector: TableSelector } | { readonly error: StagecraftError }

const WHOLE_CATALOG: Asked = { selector: {} }

function parse(text: string, { dialect, exact = false }: ReadOptions): Asked {
  try {
    if (!exact) return { selector: parseSelector(text, dialect) }
    const { table, ...place } = parseSourceName(text, dialect)
    return { selector: { ...place, tables: [table] } }
  } catch (error) {
    return { error: assertOfText(error) }
  }
}

async function attempt(read: () => Promise<readonly ReadTable[]>): Promise<ReadOutcome> {
  try {
    return { tables: await read() }
  } catch (error) {
    return { error: assertOfText(error) }
  }
}

/** Returns the error of a text, and throws failures of the catalog. */
function assertOfText(error: unknown): StagecraftError {
  if (error instanceof StagecraftError && error.code !== 'CONNECTION_FAILED') return error
  throw error
}

/** Reads the tables of each schema once, and finds the selected ones. */
class PlaceReader {
  /** Warnings about tables of whole schemas, by name. */
  readonly leftOut = new Map<string, Warning>()
  readonly #catalog: Catalog
  readonly #options: ReadOptions
  readonly #named: ReadonlyMap<string, readonly NamePart[]>
  readonly #queries = new Map<string, Promise<readonly CatalogTable[]>>()

  constructor(catalog: Catalog, selectors: readonly TableSelector[], options: ReadOptions) {
    this.#catalog = catalog
    this.#options = options
    const places = Map.groupBy(selectors, placeOf)
    this.#named = new Map(
      [...places].map(([place, group]) => [place, distinct(group.flatMap(({ tables }) => tables ?? []))]),
    )
  }

  async read(selector: TableSelector): Promise<readonly ReadTable[]> {
    const { dialect } = this.#options
    const found = await this.#find(selector)
    return found.flatMap((table) => {
      if (isLeftOut(table, selector, this.#options.config ?? {})) return []
      const name = nameOf(table, selector, { catalog: this.#catalog, dialect })
      const reason = selector.tables ? undefined : this.#reasonToLeaveOut(table)
      if (reason === undefined) return { name, table: inDialect(table, this.#catalog) }
      this.leftOut.set(name, { code: 'TABLE_LEFT_OUT', message: `${name} is left out: ${reason}` })
      return []
    })
  }

  #reasonToLeaveOut(table: CatalogTable): string | undefined {
    const isListed = this.#options.columnless && table.columns.length === 0
    return isListed ? undefined : reasonToLeaveOut(table, this.#options.dialect)
  }

  async #find({ tables: [part] = [], ...place }: TableSelector): Promise<readonly CatalogTable[]> {
    if (part === undefined) return await this.#findAll(place)
    const others = this.#named.get(placeOf(place)) ?? []
    const isAlone = this.#options.exact && others.length === 1
    const alike = isAlone ? [] : (await this.#query(place, others)).filter((table) => isNamed(table, part))
    const isSettled = this.#options.exact ? alike.length === 1 : alike.length > 0
    // for no match or several, the catalog chooses the table or explains the error
    return isSettled ? alike : [await this.#catalog.describe({ ...place, table: part })]
  }

  async #findAll(place: TableSelector): Promise<readonly CatalogTable[]> {
    const found = await this.#query(place, undefined)
    if (found.length > 0) return found
    if (!place.schema)
      throw new StagecraftError('INVALID_SOURCE', 'the catalog has no tables that you may read')
    // asking for one of its tables throws the error with similar names
    await this.#catalog.describe({ ...place, table: ANY })
    return []
  }

  #query(place: TableSelector, tables: readonly NamePart[] | undefined): Promise<readonly CatalogTable[]> {
    this.#options.signal?.throwIfAborted()
    const key = `${placeOf(place)} ${tables ? 'named' : 'whole'}`
    const known = this.#queries.get(key)
    if (known) return known
    const query = this.#catalog.tables({ ...place, ...(tables && { tables }) })
    this.#queries.set(key, query)
    return query
  }
}

/** Returns the name of a table, spelled as stored, with the requested levels and the stated database. */
function nameOf(
  table: CatalogTable,
  { database, schema }: TableSelector,
  { catalog, dialect }: { readonly catalog: Catalog; readonly dialect: Dialect },
): string {
  const asked: SourceName = {
    table: { text: table.name, quoted: true },
    ...(schema && { schema }),
    ...(database && { database }),
  }
  const name = storedName(asked, table, dialect)
  const stated = catalog.statesDatabase ? table.database : undefined
  return printSourceName({ ...name, database: name.database ?? stated }, dialect)
}

/** Adds the dialect of the types to a table, if the catalog states it. */
function inDialect(table: CatalogTable, { dialect }: Catalog): CatalogTable {
  return dialect === undefined || table.dialect !== undefined ? table : { ...table, dialect }
}

function distinct(parts: readonly NamePart[]): readonly NamePart[] {
  return [...new Map(parts.map((part) => [JSON.stringify([part.text, part.quoted]), part])).values()]
}

function placeOf({ database, schema }: TableSelector): string {
  return JSON.stringify([database, schema])
}

/** Leaves an excluded table out without a warning; a name in the request wins over the configuration. */
function isLeftOut(table: CatalogTable, { schema, tables }: TableSelector, config: Config): boolean {
  if (tables) return false
  const name = { database: table.database, schema: table.schema ?? schema?.text, table: table.name }
  return isExcluded(config, name, { isSchemaNamed: schema !== undefined })
}

function reasonToLeaveOut(table: CatalogTable, dialect: Dialect): string | undefined {
  if (table.columns.length === 0) return 'none of its columns are known'
  if (isSystemTable(table.name)) return 'it is an internal table of its loader'
  return explainSameColumns(table, dialect)
}

/** Stands for every table of a schema. */
const ANY: NamePart = { text: '*', quoted: false }

/** Returns true if an unfolded part of a source name can refer to the table. */
function isNamed(table: CatalogTable, part: NamePart): boolean {
  if (table.name === part.text || table.model === part.text) return true
  return !part.quoted && table.name.toLowerCase() === part.text.toLowerCase()
}

export interface ReadRequestsOptions extends GenerateContext {
  /** The source of the columns. */
  readonly catalog: Catalog
  /** Stops between two queries. */
  readonly signal?: AbortSignal | undefined
}

/** A request with its table, or the error that prevents it. */
export type ReadRequest = { readonly item: GenerateItem } | { readonly error: StagecraftError }

/**
 * Reads the table of a request; its source is then spelled as stored.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a faulty request, INVALID_SOURCE, CONNECTION_FAILED.
 */
export async function readRequest(
  request: GenerationRequest,
  options: ReadRequestsOptions,
): Promise<GenerateItem> {
  const [only] = await readRequests([request], options)
  if (only && 'item' in only) return only.item
  throw only?.error ?? new StagecraftError('INVALID_SOURCE', `no table was read for ${request.source}`)
}

/**
 * Reads the table of each request. Tables of one schema are read together, and a failure does not affect the others.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when the catalog cannot be read.
 */
export async function readRequests(
  requests: readonly GenerationRequest[],
  { catalog, signal, ...context }: ReadRequestsOptions,
): Promise<readonly ReadRequest[]> {
  const dialect = resolveDialect(context, catalog)
  const checked = requests.map(check)
  const texts = checked.flatMap((one) => ('request' in one ? one.request.source : []))
  const { outcomes } = await readTables(catalog, texts, { dialect, exact: true, keepsGoing: true, signal })
  signal?.throwIfAborted()
  const rest = outcomes.values()
  return checked.map((one): ReadRequest => {
    if ('error' in one) return one
    const outcome = rest.next().value
    if (outcome && 'error' in outcome) return outcome
    const [only] = outcome?.tables ?? []
    if (!only) return { error: new StagecraftError('INVALID_SOURCE', `there is no ${one.request.source}`) }
    return { item: { request: { ...one.request, source: only.name }, table: only.table } }
  })
}

type Checked = { readonly request: GenerationRequest } | { readonly error: StagecraftError }

function check(request: GenerationRequest): Checked {
  try {
    return { request: validate(generationRequestSchema, request, 'the request') }
  } catch (error) {
    if (error instanceof StagecraftError) return { error }
    throw error
  }
}

/**
 * Returns the name of a model, as far as the source name determines it: a catalog may spell the table differently,
 * and a run may number equal names.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a source that is not a dotted name.
 */
export function nameModel({ source, type }: GenerationRequest, context: GenerateContext): string {
  const run = settingsOf(context)
  const name = storedName(parseSourceName(source, run.dialect), { columns: [] }, run.dialect)
  return modelNameOf({ ...name, schema: name.schema ?? run.config.defaultSchema }, type, run)
}
