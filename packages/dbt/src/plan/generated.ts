import {
  type Claims,
  type ConfiguredConversion,
  createRun,
  type EditedItem,
  type RunSetup,
  type StagedNames,
  type TablePlace,
} from '@stagecraft/core/run'
import type { Explanation, GeneratedFile, Warning } from '@stagecraft/spec'
import { lockKey } from '../lock/lock.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import type { OwnerList, YamlEntry, YamlValue } from '../yaml/yaml-edit.ts'
import { isNamed } from './entry-edits.ts'

type Named = YamlEntry & { readonly name: string }

/** The output for one table. */
export interface GeneratedTable {
  /** The key of its line in the lock. */
  readonly key: string
  readonly item: EditedItem
  readonly place: TablePlace
  readonly sql: string
  /** Explains its decisions. */
  readonly explain: () => Explanation
  /** Returns the claims about its model that depend on the generated SQL. */
  readonly claims: () => Claims
  /** Returns the staged names of its columns. */
  readonly names: () => StagedNames
  /** Returns the conversions that the configuration requires, by stored column name. */
  readonly conversions: () => ReadonlyMap<string, ConfiguredConversion>
  /** Its entry in the models file; undefined without one. */
  readonly properties: { readonly list: OwnerList; readonly entry: Named } | undefined
  /** Its entry in the sources file, with that of the source; undefined for a table read by `ref`. */
  readonly source: { readonly entry: Named; readonly table: Named } | undefined
}

/** The joint output for several tables. */
export interface GeneratedTables {
  readonly tables: ReadonlyMap<string, GeneratedTable>
  /** The generated text of shared files, by path. */
  readonly yaml: ReadonlyMap<string, GeneratedFile>
  /** Returns the entries of a shared file; none for another path. */
  readonly entries: (path: string) => FileEntries
  readonly models: readonly { readonly name: string; readonly warnings: readonly Warning[] }[]
  readonly warnings: readonly Warning[]
}

/**
 * Generates for tables together, and splits the output by table.
 *
 * @param known Output for other tables, whose equal parts are not read again.
 * @throws {StagecraftError} The error of the first faulty table.
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
    let claims: Claims | undefined
    return {
      key: lockKey(item),
      item,
      place,
      sql: byPath.get(place.paths.model)?.content ?? '',
      explain: () => table.explain(),
      claims: () => (claims ??= table.claims()),
      names: () => table.names(),
      conversions: () => table.conversions(),
      // reading YAML is the slowest part, and up-to-date files need not be read
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

/** Reads the entries of generated files lazily, each once. */
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
 * Reads the entries of a properties file, as far as dbt would read them.
 *
 * @throws {Error} For invalid YAML.
 */
export function readEntries(text: string): FileEntries {
  const data = asData(readYaml(text))
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

/** Finds the entry of a table in a file. */
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
