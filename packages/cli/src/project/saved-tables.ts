import { chooseDialect, type EditedItem } from '@stagecraft/core/run'
import { hashText } from '@stagecraft/dbt'
import { DIALECTS } from '@stagecraft/dialects'
import { type ModelType, StagecraftError } from '@stagecraft/spec'
import { type Opened, withCatalog } from '../commands/shared-flags.ts'
import { paint } from '../terminal/paint.ts'
import type { OpenProject } from './open-project.ts'
import type { ProjectFlags } from './project-flags.ts'
import { selectTables } from './select-tables.ts'

/** The tables of a saved plan: a hash of each, by source name and type of model. */
export type SavedTables = readonly {
  readonly source: string
  readonly type: ModelType
  readonly sha256: string
}[]

export function saveTables(items: readonly EditedItem[]): SavedTables {
  return items.map(({ request: { source, type }, table }) => ({ source, type, sha256: hashTable(table) }))
}

/** Returns a hash of a table's declarations, without evidence from its rows. */
function hashTable({ observed: _, ...table }: EditedItem['table']): string {
  return hashText(JSON.stringify(Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/**
 * Compares the tables of a saved plan with the warehouse. A missing connection is only noted.
 *
 * @throws {StagecraftError} INVALID_REQUEST for tables that changed since.
 */
export async function assertTablesOf(
  { tables = [] }: { readonly tables?: SavedTables },
  flags: ProjectFlags,
  project: OpenProject,
): Promise<void> {
  if (tables.length === 0) return
  const changed = await findChanged(tables, flags, project)
  if (changed.length === 0) return
  throw new StagecraftError(
    'INVALID_REQUEST',
    `nothing was written: the plan is stale, because these tables changed since it was made; plan again:\n${changed.map((name) => `  ${name}\n`).join('')}`.trimEnd(),
    { details: { tables: changed } },
  )
}

async function findChanged(
  tables: SavedTables,
  flags: ProjectFlags,
  project: OpenProject,
): Promise<readonly string[]> {
  const work = async ({ catalog, config, dialect: name }: Opened): Promise<readonly string[]> => {
    const dialect = DIALECTS[chooseDialect({ dialect: name })]
    const selection = { sources: tables.map(({ source }) => source), all: false, options: {} }
    const [type = 'staging'] = tables.map((table) => table.type)
    const place = { catalog, config, dialect, lock: new Map() }
    const read = await selectTables({ ...selection, type }, place)
    const now = new Map(read.tables.map(({ name, table }) => [name, hashTable(table)]))
    return tables.filter(({ sha256, source }) => now.get(source) !== sha256).map(({ source }) => source)
  }
  try {
    return await withCatalog(flags, work, { project })
  } catch (error) {
    if (!(error instanceof StagecraftError)) throw error
    if (error.code === 'INVALID_SOURCE') throw error
    process.stderr.write(
      `${paint('dim', 'note')} the plan was not compared with the warehouse: ${error.message}\n`,
    )
    return []
  }
}
