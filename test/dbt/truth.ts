import { readdirSync, readFileSync } from 'node:fs'
import type { CatalogTable } from '@stagecraft/spec'
import { repositoryPath } from '../paths.ts'

/** What is used of a truth.json: the real keys of a database, and whether its data keeps them. */
interface Truth {
  readonly tables: readonly {
    readonly name: string
    readonly data: boolean
    readonly file?: string
    readonly columns: readonly {
      readonly name: string
      readonly duckdb_type: string
      readonly nullable: boolean
      /** The file leaves the column out. */
      readonly in_data?: false
    }[]
    readonly pk: readonly string[]
    readonly uniques: readonly (readonly string[])[]
    readonly pk_holds?: boolean
  }[]
  readonly fks: readonly {
    readonly table: string
    readonly columns: readonly string[]
    readonly ref_table: string
    readonly ref_columns: readonly string[]
    readonly orphans?: number
  }[]
  readonly enums: readonly {
    readonly table: string
    readonly column: string
    readonly values: readonly string[]
    readonly source: string
  }[]
}

const folder = repositoryPath('test/fixtures/truth')

export const truthNames: readonly string[] = readdirSync(folder)

export function readTruth(name: string): Truth {
  return JSON.parse(readFileSync(`${folder}/${name}/truth.json`, 'utf8')) as Truth
}

/** Where a file of a database is. */
export function truthFile(name: string, file: string): string {
  return `${folder}/${name}/${file}`
}

/** Statements that load every database into a schema of its own, without any declared key. */
export function truthStatements(): readonly string[] {
  return truthNames.flatMap((name) => [`create schema ${name}`, ...loadStatements(name)])
}

function loadStatements(name: string): readonly string[] {
  return readTruth(name).tables.flatMap(({ file, name: table }) =>
    file === undefined
      ? []
      : [`create table ${name}."${table}" as select * from read_parquet('${truthFile(name, file)}')`],
  )
}

/** Statements that declare the true keys of loaded tables, where the data at hand keeps them. */
export function declareKeys(tables: readonly CatalogTable[]): readonly string[] {
  return withTruth(tables).flatMap(({ columns, name, primaryKey, schema }) => {
    if (!primaryKey) return []
    const table = `${schema}."${name}"`
    const key = primaryKey.map((column) => `"${column}"`).join(', ')
    const list = columns.map((column) => `"${column.name}" ${column.type}`).join(', ')
    return [
      `alter table ${table} rename to loaded`,
      `create table ${table} (${list}, primary key (${key}))`,
      `insert into ${table} select * from ${schema}.loaded`,
      `drop table ${schema}.loaded`,
    ]
  })
}

/** The tables with their true keys, where the data at hand keeps them and the types of both ends agree. */
export function withTruth(tables: readonly CatalogTable[]): readonly CatalogTable[] {
  const keyed = tables.map((table) => withKeys(table, readTruth(table.schema ?? '')))
  return keyed.map((table) => withForeignKeys(table, readTruth(table.schema ?? ''), keyed))
}

function withKeys(table: CatalogTable, { enums, tables }: Truth): CatalogTable {
  const truth = tables.find(({ name }) => name === table.name)
  const primaryKey = truth?.pk_holds ? truth.pk : undefined
  const columns = table.columns.map((column) => {
    const list = enums.find(
      (other) => other.table === table.name && other.column === column.name && other.source !== 'marts',
    )
    return {
      ...column,
      ...(primaryKey?.includes(column.name) && { nullable: false }),
      ...(list && { values: list.values }),
    }
  })
  return { ...table, columns, ...(primaryKey && primaryKey.length > 0 && { primaryKey }) }
}

function withForeignKeys(table: CatalogTable, { fks }: Truth, all: readonly CatalogTable[]): CatalogTable {
  const holding = fks.filter((key) => {
    const parent = all.find(({ name, schema }) => schema === table.schema && name === key.ref_table)
    const isKey = parent?.primaryKey?.join() === key.ref_columns.join()
    const isAlike = parent && typesOf(table, key.columns) === typesOf(parent, key.ref_columns)
    return key.table === table.name && key.orphans === 0 && isKey && isAlike
  })
  if (holding.length === 0) return table
  return {
    ...table,
    foreignKeys: holding.map(({ columns, ref_columns, ref_table }) => ({
      columns,
      references: { table: { name: ref_table }, columns: ref_columns },
    })),
  }
}

function typesOf({ columns }: CatalogTable, names: readonly string[]): string {
  return names.map((name) => columns.find((column) => column.name === name)?.type).join()
}
