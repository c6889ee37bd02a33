import { DIALECTS } from '@stagecraft/dialects'
import { type Catalog, type CatalogTable, type DialectName, StagecraftError } from '@stagecraft/spec'
import type { Query } from './ask-warehouse.ts'
import { type Observed, type ObserveOptions, observeTables } from './observe.ts'

/** More would slow the warehouse down for others. */
const TABLES_AT_ONCE = 2

export interface ObserveCatalogOptions extends Pick<
  ObserveOptions,
  'answers' | 'joins' | 'limits' | 'maxBytes' | 'maxRows' | 'on' | 'onProgress' | 'onSizes' | 'signal'
> {
  /** The flag, option or command that needs the rows; messages name it. */
  readonly asked: string
  /** Called with the result, once for each reading of tables. @default none */
  readonly onObserved?: (observed: Observed) => void
}

/**
 * Wraps a catalog so that its tables include the facts of their rows. References are searched among tables that are
 * read together: those of one schema.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a catalog that has no rows: a file, or Glue.
 */
export function observedCatalog(catalog: Catalog, options: ObserveCatalogOptions): Catalog {
  assertQueryable(catalog, options.asked)
  const observe = async (tables: readonly CatalogTable[]): Promise<readonly CatalogTable[]> =>
    (await observeIn(catalog, tables, options)).tables
  return {
    ...catalog,
    tables: async (selector) => observe(await catalog.tables(selector)),
    describe: async (source) => {
      const table = await catalog.describe(source)
      return (await observe([table]))[0] ?? table
    },
  }
}

/**
 * Reads the rows of tables of a catalog, and infers their facts.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a catalog that has no rows: a file, or Glue; CONNECTION_FAILED when
 * the warehouse no longer answers.
 */
export async function observeIn(
  catalog: Catalog,
  tables: readonly CatalogTable[],
  { asked, onObserved, ...options }: ObserveCatalogOptions,
): Promise<Observed> {
  const { dialect, query } = assertQueryable(catalog, asked)
  const observed = await observeTables(tables, {
    ...options,
    dialect: DIALECTS[dialect],
    query,
    ...(catalog.sizes && {
      sizes: async (wanted, how) => (await catalog.sizes?.(wanted, how)) ?? wanted.map(() => ({})),
    }),
    ...(catalog.bytesRead && {
      bytesRead: async (sql, how) => (await catalog.bytesRead?.(sql, how)) ?? 0,
    }),
    concurrency: TABLES_AT_ONCE,
  })
  onObserved?.(observed)
  return observed
}

function assertQueryable(
  catalog: Catalog,
  asked: string,
): { readonly dialect: DialectName; readonly query: Query } {
  const { dialect } = catalog
  if (dialect !== undefined && catalog.query) {
    return { dialect, query: async (sql, options) => (await catalog.query?.(sql, options)) ?? [] }
  }
  throw StagecraftError.invalid({
    path: asked,
    expected:
      'a catalog whose rows can be read, such as a database (duckdb:, postgres://, mysql://, sqlite:)',
    received: 'a catalog without rows',
  })
}
