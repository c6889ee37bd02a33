import {
  type Claims,
  createRun,
  type EditedItem,
  type RunSetup,
  type StagedNames,
  type TablePlace,
} from '@stagecraft/core/run'
import type { Explanation, GeneratedFile, Warning } from '@stagecraft/spec'
import { parse } from 'yaml'
import { lockKey } from '../lock/lock.ts'
import type { OwnerList, YamlEntry, YamlValue } from '../yaml/yaml-edit.ts'
import { isNamed } from './entry-edits.ts'

type Named = YamlEntry & { readonly name: string }

/** The output for one table, apart from the others. */
export interface GeneratedTable {
  /** The key of its line in the lock. */
  readonly key: string
  readonly item: EditedItem
  readonly place: TablePlace
  readonly sql: string
  /** Says why it is as it is. */
  readonly explain: () => Explanation
  /** Returns what is said of its model only because the SQL is the generated one. */
  readonly claims: () => Claims
  /** Returns the names that its columns are staged under. */
  readonly names: () => StagedNames
  /** Its entry in the models file; undefined when none is written. */
  readonly properties: { readonly list: OwnerList; readonly entry: Named } | undefined
  /** Its entry in the sources file, and what is said about the source; undefined for a table that is read by `ref`. */
  readonly source: { readonly entry: Named; readonly table: Named } | undefined
}

/** The joint output for several tables. */
export interface GeneratedTables {
  readonly tables: ReadonlyMap<string, GeneratedTable>
  /** The files that tables share, by path, as they are when nobody else writes to them. */
  readonly yaml: ReadonlyMap<string, GeneratedFile>
  /** Returns the entries of one of those files; none for another path. */
  readonly entries: (path: string) => FileEntries
  readonly models: readonly { readonly name: string; readonly warnings: readonly Warning[] }[]
  readonly warnings: readonly Warning[]
}

/**
 * Generates for tables together, and takes apart what belongs to which.
 *
 * @param known Output for other tables: what it has alike is not read again.
 * @throws {StagecraftError} What is wrong with the first faulty table.
 */
export function generateTables(
  items: readonly EditedItem[],
  setup: RunSetup,
  known?: GeneratedTables,
): GeneratedTables {
  const run = createRun(items, setup)
  const { files, models, warnings } = run.files()
  const byPath = new Map(files.map((file) => [file.path, file]))
  const yaml = new Map([...byPath].filter(([path]) => !path.endsWith('.sql')))
  const entries = entryReader(yaml, known)
  const tables = run.tables.map((table): GeneratedTable => {
    const [item, place] = [table.item(), table.place()]
    return {
      key: lockKey(item),
      item,
      place,
      sql: byPath.get(place.paths.model)?.content ?? '',
      explain: () => table.explain(),
      claims: () => table.claims(),
      names: () => table.names(),
      // reading YAML takes longest, and a file that is as it should be need not be read
      get properties() {
        return entries(place.paths.modelYaml).properties.get(place.model)
      },
      get source() {
        return entries(place.paths.sourceYaml).tables.get(tableKey(place))
      },
    }
  })
  return { tables: new Map(tables.map((table) => [table.key, table])), yaml, entries, models, warnings }
}

/** Reads the entries of generated files, each once and when they are asked for. */
function entryReader(
  files: ReadonlyMap<string, GeneratedFile>,
  known: GeneratedTables | undefined,
): GeneratedTables['entries'] {
  const read = new Map<string, FileEntries>()
  return (path) => {
    const { content = '' } = files.get(path) ?? {}
    const isAlike = known?.yaml.get(path)?.content === content
    const entries = read.get(path) ?? (isAlike ? known.entries(path) : readEntries(content))
    read.set(path, entries)
    return entries
  }
}

function tableKey({ source, table }: Pick<TablePlace, 'source' | 'table'>): string {
  return JSON.stringify([source, table])
}

/** The entries of models and tables in a file of properties. */
export interface FileEntries {
  /** By name. */
  readonly properties: ReadonlyMap<string, NonNullable<GeneratedTable['properties']>>
  /** By source and name; see `tableKey`. */
  readonly tables: ReadonlyMap<string, NonNullable<GeneratedTable['source']>>
}

const LISTS: readonly OwnerList[] = ['models', 'seeds', 'snapshots']

/**
 * Reads what a file of properties says, as far as it is written as dbt reads it.
 *
 * @throws {Error} For a text that is not YAML.
 */
export function readEntries(text: string): FileEntries {
  const data = asData(
    parse(text, { logLevel: 'silent', uniqueKeys: false, merge: true, prettyErrors: false }),
  )
  const properties = LISTS.flatMap((list) =>
    namedIn(data[list]).map((entry) => [entry.name, { list, entry }] as const),
  )
  const tables = namedIn(data['sources']).flatMap(({ tables, ...entry }) =>
    namedIn(tables).map(
      (table) => [tableKey({ source: entry.name, table: table.name }), { entry, table }] as const,
    ),
  )
  return { properties: new Map(properties), tables: new Map(tables) }
}

/** Finds what a file says of a table. */
export function findTable(
  { tables }: FileEntries,
  place: Pick<TablePlace, 'source' | 'table'>,
): NonNullable<GeneratedTable['source']> | undefined {
  return tables.get(tableKey(place))
}

function asData(value: unknown): Readonly<Record<string, YamlValue>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, YamlValue>) : {}
}

function namedIn(value: YamlValue | undefined): readonly Named[] {
  return Array.isArray(value) ? value.filter(isNamed) : []
}
