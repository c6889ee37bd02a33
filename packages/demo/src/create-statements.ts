import type { RawSource, RawTable } from './raw-table.ts'

/** The statements that create a schema with all that its tables are declared with, but the tables empty. */
export function createStatements(source: RawSource): readonly string[] {
  return [
    `create schema ${name(source.schema)}`,
    ...Object.entries(source.enums ?? {}).map(
      ([type, values]) =>
        `create type ${name(source.schema)}.${name(type)} as enum (${values.map(text).join(', ')})`,
    ),
    ...source.tables.flatMap((table) => [createTable(table, source), ...describeTable(table, source)]),
    ...createViews(source),
  ]
}

function createTable(table: RawTable, { declaresKeys = false, schema }: RawSource): string {
  const columns = Object.entries(table.columns).map(([column, type]) => `${name(column)} ${type}`)
  const key = declaresKeys ? [`primary key (${table.key.map(name).join(', ')})`] : []
  const parts = [...columns, ...key, ...(table.constraints ?? [])]
  return `create table ${name(schema)}.${name(table.name)} (${parts.join(', ')})`
}

function describeTable(table: RawTable, { schema }: RawSource): readonly string[] {
  const path = `${name(schema)}.${name(table.name)}`
  const columns = Object.entries(table.comments ?? {})
  return [
    ...(table.comment === undefined ? [] : [`comment on table ${path} is ${text(table.comment)}`]),
    ...columns.flatMap(([column, comment]) =>
      comment === undefined ? [] : [`comment on column ${path}.${name(column)} is ${text(comment)}`],
    ),
  ]
}

function createViews({ schema, views = [] }: RawSource): readonly string[] {
  return views.flatMap((view) => {
    const path = `${name(schema)}.${name(view.name)}`
    const comment = view.comment === undefined ? [] : [`comment on view ${path} is ${text(view.comment)}`]
    return [`create view ${path} as ${view.query}`, ...comment]
  })
}

function name(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
