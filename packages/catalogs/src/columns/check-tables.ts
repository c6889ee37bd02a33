import type { CatalogTable, Fault } from '@stagecraft/spec'
import type { LocatedTable } from './parsed-columns.ts'

/** Checks the rules that no schema can express: names are unique, and keys name columns. */
export function checkTables(tables: readonly LocatedTable[]): readonly Fault[] {
  return [...repeatedTables(tables), ...tables.flatMap((located) => checkTable(located))]
}

function repeatedTables(tables: readonly LocatedTable[]): readonly Fault[] {
  const groups = Map.groupBy(tables, ({ table }) =>
    JSON.stringify([table.database, table.schema, table.name]),
  )
  return [...groups.values()].flatMap((group) =>
    group.slice(1).map((located) => {
      const name = located.table.name
      return faultAt(located, 'name', `one table ${name} of that schema`, `a second one`)
    }),
  )
}

function checkTable(located: LocatedTable): readonly Fault[] {
  const { columns } = located.table
  const names = columns.map(({ name }) => name)
  const repeated = names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [faultAt(located, `columns.${index}.name`, `one column ${name}`, 'a second one')],
  )
  const unknown = keysOf(located.table).flatMap(({ key, path }) =>
    key
      .filter((name) => !names.includes(name))
      .map((name) => faultAt(located, path, `one of the columns ${names.join(', ')}`, `"${name}"`)),
  )
  return [...repeated, ...unknown]
}

interface Key {
  readonly path: string
  readonly key: readonly string[]
}

function keysOf({ foreignKeys = [], primaryKey = [], uniqueKeys = [] }: CatalogTable): readonly Key[] {
  return [
    { path: 'primaryKey', key: primaryKey },
    ...uniqueKeys.map((key, index) => ({ path: `uniqueKeys.${index}`, key })),
    ...foreignKeys.map(({ columns }, index) => ({ path: `foreignKeys.${index}.columns`, key: columns })),
  ]
}

function faultAt({ line, path }: LocatedTable, below: string, expected: string, received: string): Fault {
  const found = line(below.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)))
  return { path: `${path}.${below}`, expected, received, ...(found !== undefined && { line: found }) }
}
