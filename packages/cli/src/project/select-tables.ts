import type { Dialect } from '@stagecraft/dialects'
import { printSourceName, type ReadTable, readTables, unusedConfig } from '@stagecraft/core/run'
import { type Lock, lockKey } from '@stagecraft/dbt'
import {
  type Catalog,
  type Config,
  type GenerationOptions,
  type ModelType,
  StagecraftError,
  type Warning,
} from '@stagecraft/spec'

/** The tables that a command asks for. */
export interface Selection {
  /** Source names and `schema.*`; none for what the lock and the configuration name. */
  readonly sources: readonly string[]
  /** Every table of the catalog. */
  readonly all: boolean
  readonly type: ModelType
  readonly options: GenerationOptions
}

export interface SelectedTables {
  readonly tables: readonly ReadTable[]
  /** Keys of the lock that were asked for and whose tables are no longer there. */
  readonly gone: readonly string[]
  readonly warnings: readonly Warning[]
  /** Finds what the configuration names and the catalog does not have, as far as all of it was asked for. */
  readonly unused: (config: Config) => readonly Warning[]
}

interface Place {
  readonly catalog: Catalog
  readonly config: Config
  readonly dialect: Dialect
  readonly lock: Lock
}

/**
 * Reads the tables that were asked for. A table of the lock that no longer exists counts as gone, and is not an error.
 *
 * @throws {StagecraftError} INVALID_REQUEST when no tables are selected; INVALID_SOURCE for an unknown name.
 */
export async function selectTables(selection: Selection, place: Place): Promise<SelectedTables> {
  const { catalog, config, dialect, lock } = place
  const names = selection.all ? [] : chooseNames(selection, place)
  const known = names.filter((name) => !name.endsWith('*') && lock.has(keyOf(name, selection.type)))
  const asked = names.filter((name) => !known.includes(name))
  const isWanted = new Set(known)
  const read =
    selection.all || asked.length > 0 ? await readTables(catalog, asked, { config, dialect }) : NOTHING
  const schemas = [...new Set(known.map(schemaOf))].filter((schema) => !asked.includes(schema))
  const beside = schemas.length > 0 ? await readTables(catalog, schemas, { config, dialect }) : NOTHING
  const found = new Map(
    [...read.tables, ...beside.tables.filter(({ name }) => isWanted.has(name))].map((one) => [one.name, one]),
  )
  // a table of which too little is known is there all the same, and its model stays
  const isThere = new Set([...found.keys(), ...read.leftOut, ...beside.leftOut])
  const gone = [...lock.values()]
    .map(({ item }) => item)
    .filter(({ request: { source, type } }) => type === selection.type && !isThere.has(source))
    .filter(
      ({ request: { source } }) => selection.all || isWanted.has(source) || asked.includes(schemaOf(source)),
    )
    .map(lockKey)
  const all = [...read.tables, ...beside.tables].map(({ table }) => table)
  const scope = { isAll: selection.all, isWhole: read.isWhole }
  return {
    tables: [...found.values()],
    gone,
    warnings: [...read.warnings],
    unused: (own) => unusedConfig(own, all, scope),
  }
}

const NOTHING = { tables: [], warnings: [], leftOut: [], isWhole: () => false }

function keyOf(source: string, type: ModelType): string {
  return lockKey({ request: { source, type } })
}

/** `shop.orders` lies in `shop.*`. */
function schemaOf(name: string): string {
  return name.replace(/(?:"(?:[^"]|"")*"|[^."]+)$/, '*')
}

/** Without names: the tables of the lock, and whole schemas that the configuration names. */
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
