import { DIALECTS } from '@stagecraft/core'
import { quoteIdentifier } from '../../packages/core/src/sql/identifiers.ts'
import { AWFUL_NAMES } from '../property/arbitraries.ts'

type Engine = 'duckdb' | 'postgres'

/** Schemas, tables and columns of every awful name there is, with a row or two, for an engine. */
export function awfulStatements(engine: Engine): readonly string[] {
  const dialect = DIALECTS[engine]
  const quote = (name: string): string => quoteIdentifier(name, dialect)
  const distinct = (names: readonly string[]): readonly string[] =>
    dialect.identifiers.caseSensitive
      ? names
      : [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  const fitting = distinct(AWFUL_NAMES)
  const schemas = ['awful', 'My Schema', 'order', 'dash-ed.schema', "it's"]
  return [
    ...schemas.map((schema) => `create schema ${quote(schema)}`),
    ...schemas.slice(1).map((schema) => smallTable(`${quote(schema)}.${quote('a table')}`, quote)),
    ...fitting.map((name) => smallTable(`${quote('awful')}.${quote(name)}`, quote)),
    ...fitting.map(
      (name) => `insert into ${quote('awful')}.${quote(name)} values (1, 'Y', 'open'), (2, 'N', 'it''s')`,
    ),
    wideTable(fitting, quote, engine),
    ...comments(fitting, quote),
    ...twins(engine, quote),
  ]
}

type Quote = (name: string) => string

function smallTable(name: string, quote: Quote): string {
  const checks = `${quote('Yes/No')} varchar check (${quote('Yes/No')} in ('Y', 'N')), kind varchar check (kind in ('open', 'it''s', 'no', '12:30'))`
  return `create table ${name} (id integer primary key, ${checks})`
}

/** One column of every name, of types that call for every kind of expression. */
function wideTable(names: readonly string[], quote: Quote, engine: Engine): string {
  const types = ['text', 'integer', 'timestamptz', 'boolean', 'date', 'numeric(10, 2)']
  const columns = names.map(
    (name, index) => `${quote(name)} ${types[index % types.length]}${index === 0 ? ' not null' : ''}`,
  )
  const values = names.map((_, index) => (index === 0 ? "'one'" : 'null')).join(', ')
  const table = `${quote('awful')}.${quote('every name at once')}`
  const create = `create table ${table} (${columns.join(', ')})`
  return engine === 'postgres' ? `${create}; insert into ${table} values (${values})` : create
}

function comments(names: readonly string[], quote: Quote): readonly string[] {
  const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
  return names.flatMap((name) => [
    `comment on column ${quote('awful')}.${quote('every name at once')}.${quote(name)} is ${literal(`${name}: a {{ comment }} "of" it's # own\n- with %} and #}`)}`,
    `comment on table ${quote('awful')}.${quote(name)} is ${literal(name)}`,
  ])
}

/** Names that differ in case only, where the engine has them. */
function twins(engine: Engine, quote: Quote): readonly string[] {
  if (engine === 'duckdb') return []
  return ['Twin', 'TWIN', 'twin'].map(
    (name) =>
      `create table ${quote('awful')}.${quote(name)} (id integer primary key, ${quote('Id')} text, ${quote('iD')} text)`,
  )
}
