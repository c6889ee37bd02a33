import {
  type CatalogTable,
  type Fault,
  StagecraftError,
  type TableProfile,
  tableProfileSchema,
} from '@stagecraft/spec'
import { check } from '@stagecraft/spec/validate'

/** Profiles of tables, by table. */
export type ProfilesByTable = ReadonlyMap<CatalogTable, TableProfile>

/** Returns true for an entry of `profile --json`, or one written by hand: `{ "table": …, "profile": … }`. */
export function isProfileEntry(item: object): boolean {
  return 'table' in item && 'profile' in item
}

/**
 * Reads profiles that a person wrote or that `profile --json` printed, for the tables that they name. Names match in
 * any case.
 *
 * @throws {StagecraftError} INVALID_REQUEST with every fault and its place.
 */
export function readProfileEntries(
  items: readonly object[],
  { path, tables }: { readonly path: string; readonly tables: readonly CatalogTable[] },
): ProfilesByTable {
  const faults: Fault[] = []
  const found = new Map<CatalogTable, TableProfile>()
  for (const [at, item] of items.entries()) {
    if (!isProfileEntry(item)) continue
    const { profile: stated, table: named } = item as { readonly table: unknown; readonly profile: unknown }
    const place = `${path}, entry ${at + 1}`
    const name = nameOf(named)
    if (name === undefined)
      faults.push({
        path: `${place}: table`,
        expected: 'a table with a name, and its schema',
        received: JSON.stringify(named),
      })
    const table = name && tables.find((one) => isNamed(one, name))
    if (!table || stated === null) continue
    const checked = check(tableProfileSchema, stated)
    const wrong = 'faults' in checked ? checked.faults : contradictions(checked.value, table)
    faults.push(
      ...wrong.map(({ expected, path: inside, received }) => ({
        path: `${place}: profile.${inside}`,
        expected,
        received,
      })),
    )
    if ('value' in checked) found.set(table, spelledAsStored(checked.value, table))
  }
  if (faults.length > 0) throw StagecraftError.invalid(faults)
  return found
}

type Name = Partial<Record<'database' | 'schema' | 'name', string>>

function nameOf(value: unknown): Name | undefined {
  if (typeof value === 'string') {
    const [name, schema, database] = value.split('.').toReversed()
    return {
      ...(name !== undefined && { name }),
      ...(schema !== undefined && { schema }),
      ...(database !== undefined && { database }),
    }
  }
  const { database, name, schema } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof name !== 'string') return undefined
  return {
    name,
    ...(typeof schema === 'string' && { schema }),
    ...(typeof database === 'string' && { database }),
  }
}

/** A level that is missing in one of them matches any. */
function isNamed(table: CatalogTable, name: Name): boolean {
  return (['database', 'schema', 'name'] as const).every(
    (level) => name[level] === undefined || table[level] === undefined || isSame(name[level], table[level]),
  )
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Finds figures that contradict each other, and columns that the table does not have. */
function contradictions({ columns, rows }: TableProfile, table: CatalogTable): readonly Fault[] {
  return Object.entries(columns).flatMap(([name, { distinct = 0, nulls, values = [] }]): readonly Fault[] => {
    const path = `columns.${name}`
    if (!table.columns.some((column) => isSame(column.name, name)))
      return [
        {
          path,
          expected: `a column of ${table.name}: ${table.columns.map((column) => column.name).join(', ')}`,
          received: name,
        },
      ]
    if (nulls > rows)
      return [{ path: `${path}.nulls`, expected: `at most the ${rows} rows`, received: `${nulls}` }]
    if (distinct > rows - nulls)
      return [
        {
          path: `${path}.distinct`,
          expected: `at most the ${rows - nulls} rows with a value`,
          received: `${distinct}`,
        },
      ]
    const listed = values.reduce((sum, value) => sum + value.rows, 0)
    if (listed > rows - nulls)
      return [
        {
          path: `${path}.values`,
          expected: `at most the ${rows - nulls} rows with a value`,
          received: `${listed} rows`,
        },
      ]
    return []
  })
}

function spelledAsStored(profile: TableProfile, table: CatalogTable): TableProfile {
  const stored = (name: string): string =>
    table.columns.find((column) => isSame(column.name, name))?.name ?? name
  return {
    ...profile,
    columns: Object.fromEntries(
      Object.entries(profile.columns).map(([name, column]) => [stored(name), column]),
    ),
  }
}
