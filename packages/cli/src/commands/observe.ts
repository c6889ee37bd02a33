import { observedCatalog, observeIn, type Observed } from '@stagecraft/core/inference'
import type { Catalog, CatalogTable } from '@stagecraft/spec'
import { createProgress } from '../terminal/progress.ts'
import { printWarning } from '../terminal/report.ts'
import type { Opened } from './shared-flags.ts'

/** Looks at the rows of tables, shows progress, and warns of each table that could not be read. */
export async function observe(
  tables: readonly CatalogTable[],
  { catalog, signal }: Opened,
  asked: string,
): Promise<Observed> {
  const progress = createProgress('profiling')
  try {
    return await observeIn(catalog, tables, {
      asked,
      signal,
      onObserved: warnOfFailures,
      onProgress: (done, total) => progress.update(done, total),
    })
  } finally {
    progress.stop()
  }
}

/** Wraps the catalog of `generate --profile`. */
export function withObservations({ catalog, signal }: Opened): Catalog {
  const progress = createProgress('profiling')
  return observedCatalog(catalog, {
    asked: '--profile',
    signal,
    onProgress: (done, total) => progress.update(done, total),
    onObserved: (observed) => {
      progress.stop()
      warnOfFailures(observed)
    },
  })
}

function warnOfFailures({ failures }: Observed): void {
  for (const { reason, table } of failures) {
    printWarning({ code: 'TABLE_NOT_PROFILED', message: `${table.name} could not be read: ${reason}` })
  }
}
