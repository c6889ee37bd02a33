import { DIALECTS } from '@stagecraft/core'
import { observeTables, type Observed, type Query } from '@stagecraft/core/inference'
import { type Catalog, type CatalogTable, type DialectName, StagecraftError } from '@stagecraft/spec'
import { createProgress } from '../terminal/progress.ts'
import { printWarning } from '../terminal/report.ts'

export interface ObserveTablesOptions {
  /** Stops between two statements. */
  readonly signal: AbortSignal
  /** The flag or command that asks for it, for messages. */
  readonly asked: string
}

/** Looks at the rows of tables, shows progress, and warns of each table that could not be read. */
export async function observe(
  tables: readonly CatalogTable[],
  catalog: Catalog,
  { asked, signal }: ObserveTablesOptions,
): Promise<Observed> {
  const { dialect, query } = assertQueryable(catalog, asked)
  const progress = createProgress('profiling')
  try {
    const observed = await observeTables(tables, {
      dialect: DIALECTS[dialect],
      query,
      signal,
      onProgress: (done, total) => progress.update(done, total),
    })
    for (const { reason, table } of observed.failures) {
      printWarning({ code: 'TABLE_NOT_PROFILED', message: `${table.name} could not be read: ${reason}` })
    }
    return observed
  } finally {
    progress.stop()
  }
}

/** Wraps a catalog so that its tables come with what their rows keep. */
export function observedCatalog(catalog: Catalog, options: ObserveTablesOptions): Catalog {
  assertQueryable(catalog, options.asked)
  return {
    ...catalog,
    tables: async (selector) => (await observe(await catalog.tables(selector), catalog, options)).tables,
    describe: async (source) => {
      const table = await catalog.describe(source)
      return (await observe([table], catalog, options)).tables[0] ?? table
    },
  }
}

function assertQueryable(
  { dialect, query }: Catalog,
  asked: string,
): { readonly dialect: DialectName; readonly query: Query } {
  if (dialect !== undefined && query !== undefined) return { dialect, query }
  throw StagecraftError.invalid({
    path: asked,
    expected: 'a catalog whose rows can be read (duckdb:, postgres://, mysql://, sqlite:)',
    received: 'a catalog that is read from a file',
  })
}
