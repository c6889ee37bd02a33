import type { Dialect } from '@stagecraft/dialects'
import { type Freshness, UNKNOWN_TYPE } from '@stagecraft/spec'
import { isLoaderColumn } from '../loaders/detect.ts'
import { escapeIdentifier, foldCase, needsQuotes, printIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/parse-type.ts'
import { cast, CONVERSION_RULES } from './conversions.ts'
import type { Description, SourceColumn, SourceEntry } from './plan.ts'
import { spellType } from './spell-type.ts'
import type { Subject } from './subject.ts'

/** The entry of the table in the sources file: only what dbt could not know by itself. */
export function planSource(subject: Subject): SourceEntry {
  const { loader, name, settings, dbtSource, table, tableName } = subject
  const { dialect, options } = settings
  const loadedAt = options.freshness === false ? undefined : loadTimeExpression(subject)
  const schema = name.schema === undefined ? undefined : relationPart(name.schema, 'schema', dialect)
  const identifier = relationPart(name.table, 'identifier', dialect)
  return {
    name: dbtSource,
    description: said(settings.source.description),
    database: databaseOf(subject),
    schema: schema === dbtSource ? undefined : schema,
    quoting: quotingOf(subject),
    loader: loader?.title,
    table: {
      name: tableName,
      identifier: identifier === tableName ? undefined : identifier,
      description: options.addDocs ? tableDescription(subject) : undefined,
      loadedAt,
      freshness: loadedAt === undefined ? undefined : (options.freshness as Freshness),
      location: table.location,
      columns: subject.columns.map((column) => sourceColumn(column, subject)),
    },
  }
}

function said(text: string | undefined): Description | undefined {
  return text === undefined ? undefined : { text, origin: 'user' }
}

function tableDescription({ table }: Subject): Description | undefined {
  const comment = table.comment?.trim()
  return comment ? { text: comment, origin: 'comment' } : undefined
}

/** A part of a relation as YAML spells it. dbt puts quotes around it, but escapes nothing inside them. */
function relationPart(stored: string, level: keyof Dialect['dbt']['quotes'], dialect: Dialect): string {
  const isQuoted = dialect.dbt.quotes[level] || needsQuotes(stored, dialect)
  return isQuoted ? escapeIdentifier(stored, dialect) : plainSpelling(stored, dialect)
}

/** Lower case where names are left unquoted and case means nothing. */
function plainSpelling(stored: string, dialect: Dialect): string {
  const isFolded = dialect.identifiers.folds === 'upper' && foldCase(stored, dialect) === stored
  return isFolded && !needsQuotes(stored, dialect) ? stored.toLowerCase() : stored
}

/** Left out when it is the database that dbt runs in anyway. */
function databaseOf({ name, settings }: Subject): string | undefined {
  if (name.database === undefined) return undefined
  const isDefault = settings.config.defaultDatabase?.toLowerCase() === name.database.toLowerCase()
  return isDefault ? undefined : relationPart(name.database, 'database', settings.dialect)
}

/** Quotes for parts that need them where the adapter writes none, none for schemas in schemas. */
function quotingOf({ name, settings }: Subject): SourceEntry['quoting'] {
  const { dbt, identifiers } = settings.dialect
  const needs = (part: string | undefined): boolean =>
    part !== undefined && needsQuotes(part, settings.dialect)
  const isNested = identifiers.nestedSchemas && name.schema?.includes('.') === true
  return {
    ...(!dbt.quotes.database && needs(name.database) && { database: true }),
    ...(isNested ? { schema: false } : !dbt.quotes.schema && needs(name.schema) && { schema: true }),
    ...(!dbt.quotes.identifier && needs(name.table) && { identifier: true }),
  }
}

function sourceColumn(column: Subject['columns'][number], { loader, settings }: Subject): SourceColumn {
  const { dialect, options } = settings
  const quote = needsQuotes(column.name, dialect)
  const isLoaders = isLoaderColumn(column.name, loader)
  const comment = column.comment?.trim()
  const rule = isLoaders ? loader?.columns[column.name.toLowerCase()] : undefined
  const description: Description | undefined = comment
    ? { text: comment, origin: 'comment' }
    : rule === undefined
      ? undefined
      : { text: rule, origin: 'rule' }
  return {
    name: quote ? column.name : plainSpelling(column.name, dialect),
    quote,
    dataType:
      column.type === UNKNOWN_TYPE ? undefined : spellType(parseType(column.type, dialect).text, settings),
    description: options.addDocs ? description : undefined,
  }
}

/** SQL of the time a row was loaded; undefined when no column of the loader tells it. */
function loadTimeExpression({ columns, loader, settings }: Subject): string | undefined {
  const { dialect } = settings
  for (const candidate of loader?.loaded ?? []) {
    const column = columns.findLast(({ name }) => name.toLowerCase() === candidate.column)
    if (!column) continue
    const sql = printIdentifier(column.name, dialect)
    const { family } = parseType(column.type, dialect)
    if (family.startsWith('timestamp')) return sql
    if (candidate.as !== undefined && candidate.as !== 'keep') {
      const rule = CONVERSION_RULES[candidate.as]
      if (rule.from.includes(family))
        return rule.convert({ sql, family, values: undefined }, dialect)?.lines.join(' ')
    }
    const type = dialect.types.cast.timestamp_ntz ?? dialect.types.cast.timestamp_tz
    return type !== undefined && (family === 'string' || family === 'date')
      ? cast(sql, type, dialect)
      : undefined
  }
  return undefined
}
