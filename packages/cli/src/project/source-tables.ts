import { diskTree, readProject } from '@stagecraft/dbt'
import type { CatalogTable, DialectName } from '@stagecraft/spec'
import { withCatalog } from '../commands/shared-flags.ts'

export interface SourceTablesFlags {
  /** The catalog; true for that of the configuration or the dbt profile. */
  readonly catalog?: string | true
  readonly config?: string
  readonly dialect?: DialectName
}

/** The catalog's tables of a project's sources. */
export interface SourceTables {
  readonly tables: readonly CatalogTable[]
  /** The SQL dialect of the warehouse; undefined for a list of columns. */
  readonly dialect: DialectName | undefined
}

/** Reads every table in the schemas of a project's sources; undefined if no catalog is requested. */
export async function readSourceTables(
  root: string,
  { catalog: asked, ...flags }: SourceTablesFlags,
): Promise<SourceTables | undefined> {
  if (asked === undefined) return undefined
  const { sources } = await readProject(diskTree(root))
  const schemas = [...new Set(sources.flatMap(({ schema }) => schema ?? []))].toSorted()
  const choice = { ...flags, projectDir: root, ...(asked !== true && { catalog: asked }) }
  return withCatalog(choice, async ({ catalog }) => {
    const tables: CatalogTable[] = []
    for (const schema of schemas)
      tables.push(...(await catalog.tables({ schema: { text: schema, quoted: false } })))
    return { tables, dialect: catalog.dialect }
  })
}
