import type { Dialect } from '@stagecraft/dialects'
import {
  type EditedItem,
  isExcluded,
  printSourceName,
  type ReadTable,
  type ReadTables,
  readTables,
  unusedConfig,
} from '@stagecraft/core/run'
import { type Lock, lockKey } from '@stagecraft/dbt'
import {
  type Catalog,
  type Config,
  type GenerationOptions,
  type ModelType,
  StagecraftError,
  type Warning,
} from '@stagecraft/spec'

/** The selected tables. */
export interface Selection {
  /** Source names and `schema.*`; none to select the tables of the lock and the configuration. */
  readonly sources: readonly string[]
  /** Every table of the catalog. */
  readonly all: boolean
  readonly type: ModelType
  readonly options: GenerationOptions
}

export interface SelectedTables {
  readonly tables: readonly ReadTable[]
  /** Keys of the lock that were selected and whose tables no longer exist. */
  readonly gone: readonly string[]
  /** Keys of the lock that were selected and that the configuration excludes. */
  readonly excluded: readonly string[]
  /** The rest of the schemas of selected tables, which shows new and deleted tables. */
  readonly beside: { readonly tables: readonly ReadTable[]; readonly gone: readonly string[] }
  readonly warnings: readonly Warning[]
  /** Finds configured names that the catalog lacks, among the selected ones. */
  readonly unused: (config: Config) => readonly Warning[]
}

/** The catalog to search, and the known facts. */
export interface Place {
  readonly catalog: Catalog
  /** The same catalog without evidence from rows, for finding names. @default the same */
  readonly names?: Catalog | undefined
  readonly config: Config
  readonly dialect: Dialect
  readonly lock: Lock
}

/**
 * Reads the selected tables. A missing table of the lock counts as deleted, not as an error. One that the configuration
 * excludes is read only by its name.
 *
 * @throws {StagecraftError} INVALID_REQUEST if no tables are selected; INVALID_SOURCE for an unknown name.
 */
export async function selectTables(selection: Selection, place: Place): Promise<SelectedTables> {
  const { catalog, config, dialect, lock, names: shelf = catalog } = place
  const { all: isAll, type } = selection
  const excluded = excludedItems(selection, place)
  const isOut = new Set(excluded.map(({ request }) => request.source))
  const names = isAll ? [] : chooseNames(selection, place).filter((name) => !isOut.has(name))
  const isFollowed = (name: string): boolean =>
    lock.has(keyOf(name, type)) && !isExcludedName(name, place, type)
  const known = new Set(names.filter((name) => !name.endsWith('*') && isFollowed(name)))
  const asked = names.filter((name) => !known.has(name))
  const read = isAll || asked.length > 0 ? await readTables(catalog, asked, { config, dialect }) : NOTHING
  const schemas = schemasBeside({ known, asked, read: read.tables }, selection, lock)
  const beside =
    schemas.length > 0 ? await readTables(shelf, schemas, { config, dialect, keepsGoing: true }) : NOTHING
  assertAnything(schemas, beside, read)
  const there = beside.tables.filter(({ name }) => known.has(name))
  const again = there.length > 0 && shelf !== catalog
  const seen = again ? await readTables(catalog, there.map(nameOf), { config, dialect }) : { tables: there }
  const found = new Map([...read.tables, ...seen.tables].map((one) => [one.name, one]))
  // A table without enough information exists all the same, so its model stays.
  const isThere = new Set([...read.tables, ...beside.tables].map(nameOf))
  for (const name of [...read.leftOut, ...beside.leftOut]) isThere.add(name)
  const missing = [...lock.values()]
    .map(({ item }) => item)
    .filter(
      (item) => item.request.type === type && !isThere.has(item.request.source) && !excluded.includes(item),
    )
  const isAsked = ({ request: { source } }: EditedItem): boolean =>
    isAll || known.has(source) || asked.includes(schemaOf(source))
  const isBeside = ({ request: { source } }: EditedItem): boolean => schemas.includes(schemaOf(source))
  const everything = [...read.tables, ...beside.tables].map(({ table }) => table)
  const scope = { isAll, isWhole: read.isWhole }
  return {
    tables: [...found.values()],
    gone: missing.filter(isAsked).map(lockKey),
    excluded: excluded.map(lockKey),
    beside: {
      tables: beside.tables.filter(({ name }) => !found.has(name) && !lock.has(keyOf(name, type))),
      gone: missing.filter((item) => !isAsked(item) && isBeside(item)).map(lockKey),
    },
    warnings: [...read.warnings],
    unused: (own) => unusedConfig(own, everything, scope),
  }
}

/**
 * Returns the tables of the lock that the configuration excludes. Their names in the selection win, as does the name of
 * a schema over its own exclusion.
 */
export function excludedItems(
  { all = false, sources, type }: Partial<Selection> & Pick<Selection, 'sources'>,
  { config, lock }: Pick<Place, 'config' | 'lock'>,
): readonly EditedItem[] {
  return [...lock.values()]
    .map(({ item }) => item)
    .filter(({ request: { type: own } }) => type === undefined || own === type)
    .filter((item) => {
      const { source } = item.request
      const isSchemaNamed = sources.includes(schemaOf(source))
      const isSelected = all || sources.length === 0 || isSchemaNamed
      return isSelected && !sources.includes(source) && isExcludedItem(item, config, { isSchemaNamed })
    })
}

function isExcludedItem(
  { table: { database, name = '', schema } }: EditedItem,
  config: Config,
  options: { readonly isSchemaNamed: boolean },
): boolean {
  return isExcluded(config, { database, schema, table: name }, options)
}

/** Returns true for a table of the lock that only its name selects. */
function isExcludedName(
  source: string,
  { config, lock }: Pick<Place, 'config' | 'lock'>,
  type: ModelType,
): boolean {
  const locked = lock.get(keyOf(source, type))
  return locked !== undefined && isExcludedItem(locked.item, config, { isSchemaNamed: true })
}

const NOTHING: ReadTables = { outcomes: [], tables: [], warnings: [], leftOut: [], isWhole: () => false }

/** A deleted schema has deleted tables. If no schema exists, it is another warehouse, or the schemas were renamed. */
function assertAnything(
  schemas: readonly string[],
  { outcomes, tables }: ReadTables,
  read: ReadTables,
): void {
  const [error] = outcomes.flatMap((one) => ('error' in one ? one.error : []))
  if (!error || tables.length + read.tables.length > 0) return
  if (error.code !== 'INVALID_SOURCE') throw error
  const names = schemas.map((schema) => `'${schema}'`).join(' ')
  const message = `${error.message}; for another warehouse, choose its --target or --catalog; if the schema was renamed, write its name under schema of its source in the project, then run stagecraft forget ${names} and stagecraft adopt with the files of its models`
  throw new StagecraftError(error.code, message, {
    cause: error,
    ...(error.details && { details: error.details }),
  })
}

function nameOf({ name }: ReadTable): string {
  return name
}

/** The names and the tables that were read for them. */
interface Named {
  readonly known: ReadonlySet<string>
  readonly asked: readonly string[]
  readonly read: readonly ReadTable[]
}

/**
 * Returns the schemas to read as a whole: for tables of the lock that may be deleted, and new ones that may be their
 * successors.
 */
function schemasBeside(
  { asked, known, read }: Named,
  { all, type }: Selection,
  lock: Lock,
): readonly string[] {
  if (all) return []
  const locked = new Set(
    [...lock.values()].flatMap(({ item: { request } }) =>
      request.type === type ? schemaOf(request.source) : [],
    ),
  )
  const added = read.filter(({ name }) => !lock.has(keyOf(name, type))).map(({ name }) => schemaOf(name))
  const schemas = [...[...known].map(schemaOf), ...added.filter((schema) => locked.has(schema))]
  return [...new Set(schemas)].filter((schema) => !asked.includes(schema))
}

function keyOf(source: string, type: ModelType): string {
  return lockKey({ request: { source, type } })
}

/** Returns the pattern of a table's schema: `shop.*` for `shop.orders`. */
export function schemaOf(name: string): string {
  return name.replace(/(?:"(?:[^"]|"")*"|[^."]+)$/, '*')
}

/** Without names: the tables of the lock, and whole schemas in the configuration. */
function chooseNames({ sources, type }: Selection, { config, dialect, lock }: Place): readonly string[] {
  if (sources.length > 0) return sources
  const configured = Object.entries(config.sources ?? {}).flatMap(([name, { exclude }]) => {
    const [database, schema] = name.includes('.') ? name.split('.', 2) : [undefined, name]
    const table = { database, schema, table: 'x' }
    return exclude ? [] : schemaOf(printSourceName(table, dialect))
  })
  const locked = [...lock.values()].flatMap(({ item: { request } }) =>
    request.type === type ? request.source : [],
  )
  if (configured.length + locked.length > 0) return [...configured, ...locked]
  const expected = 'source names (raw.stripe.payments), whole schemas (stripe.*), or --all'
  throw new StagecraftError(
    'INVALID_REQUEST',
    `expected ${expected}, since neither stagecraft.lock nor stagecraft.yml names any`,
    {
      details: { faults: [{ path: 'source', expected, received: 'neither' }] },
    },
  )
}
