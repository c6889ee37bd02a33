import { DIALECTS } from '@stagecraft/core'
import { printSourceName, readTables } from '@stagecraft/core/run'
import { count, describeStorage, printCatalogWarnings, printRunWarnings } from '../terminal/report.ts'
import { COMMON_DIALECT } from '../project/choose-dialect.ts'
import { type CatalogFlags, withCatalog } from './shared-flags.ts'

export interface TablesFlags extends CatalogFlags {
  readonly json?: boolean
}

/** `stagecraft tables`: prints names and the numbers of columns and keys of each table; with `--json`, everything. */
export async function tablesCommand(schemas: readonly string[], flags: TablesFlags): Promise<void> {
  await withCatalog(flags, async ({ catalog, dialect: name }) => {
    printCatalogWarnings(catalog)
    // Names are only printed and compared here, so any dialect works.
    const dialect = DIALECTS[name ?? COMMON_DIALECT]
    const { tables, warnings } = await readTables(catalog, schemas.map(wholeSchema), {
      dialect,
      columnless: true,
    })
    printRunWarnings(warnings)
    if (flags.json) {
      process.stdout.write(
        `${JSON.stringify(
          tables.map(({ table }) => table),
          null,
          2,
        )}\n`,
      )
      return
    }
    const rows = tables.map(({ table }) => ({
      name: printSourceName({ database: undefined, schema: table.schema, table: table.name }, dialect),
      facts: [
        table.kind ?? 'table',
        count(table.columns.length, 'column'),
        ...(table.primaryKey ? [`key (${table.primaryKey.join(', ')})`] : []),
        ...(table.foreignKeys?.length ? [count(table.foreignKeys.length, 'foreign key')] : []),
        ...describeStorage(table.storage),
      ].join(', '),
    }))
    const width = Math.max(0, ...rows.map(({ name }) => name.length))
    process.stdout.write(rows.map(({ facts, name }) => `${name.padEnd(width)}  ${facts}\n`).join(''))
  })
}

/** `stripe` is the schema here, because the list is by schema. */
function wholeSchema(text: string): string {
  return text.endsWith('*') ? text : `${text}.*`
}
