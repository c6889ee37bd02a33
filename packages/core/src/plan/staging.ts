import type { Dialect } from '@stagecraft/dialects'
import { type Column, type Freshness, UNKNOWN_TYPE, escapeInvisible } from '@stagecraft/spec'
import { missingColumns } from '../config/settings.ts'
import { isLoaderColumn } from '../loaders/detect.ts'
import { escapeIdentifier, foldCase, needsQuotes, printIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'
import { planColumns } from './columns.ts'
import { CONVERSION_RULES, cast, spellType } from './conversions.ts'
import { type DescriptionInput, describeColumn, describeModel } from './descriptions.ts'
import { findKey } from './key.ts'
import type {
  Description,
  Key,
  Plan,
  PlannedColumn,
  PlannedRows,
  PlannedTest,
  SourceColumn,
  SourceEntry,
} from './plan.ts'
import { bareTableName } from '../naming/entity.ts'
import { fillPattern } from '../naming/house-names.ts'
import { columnSql } from './read-columns.ts'
import { findDeletedRows, planRows } from './rows.ts'
import type { StagedColumn } from './staged-column.ts'
import type { PlanContext, Subject } from './subject.ts'
import { findReferences } from './test-references.ts'
import { type TestDecision, planTests } from './tests.ts'

/** Plans the paths of a model's files in a dbt project. */
export function planPaths({ dbtSource, entity, modelName, name, settings, type }: Subject): Plan['paths'] {
  const { naming, options } = settings
  const table = bareTableName(name.table, naming.tablePrefixes)
  const values = { source: dbtSource, entity: entity.model, table, model: modelName }
  const fill = (pattern: string): string => fillPattern(pattern, values)
  const { folder: folderPattern, yaml: pattern } = naming.types[type]
  const folder = fill(folderPattern)
  const isOwn = options.yamlLayout === 'model' && !pattern.includes('{model}')
  const yaml = isOwn ? `${modelName}.yml` : fill(pattern)
  return {
    model: `${folder}/${modelName}.sql`,
    modelYaml: `${folder}/${yaml}`,
    sourceYaml: `${fillPattern(naming.sourcesFolder, { source: dbtSource })}/${fillPattern(naming.sourcesFile, { source: dbtSource })}`,
  }
}

/** The entry of the table in the sources file: only facts that dbt itself cannot know. */
function planSource(subject: Subject): SourceEntry {
  const { loader, name, settings, dbtSource, table, tableName } = subject
  const { dialect, options } = settings
  const loadedAt = options.freshness === false ? undefined : loadTimeExpression(subject)
  const schema = name.schema === undefined ? undefined : relationPart(name.schema, 'schema', dialect)
  const identifier = relationPart(name.table, 'identifier', dialect)
  return {
    name: dbtSource,
    description: byUser(settings.source.description),
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
      columns: table.columns.map((column) => sourceColumn(column, subject)),
    },
  }
}

function byUser(text: string | undefined): Description | undefined {
  return text === undefined ? undefined : { text, origin: 'user' }
}

function tableDescription({ table }: Subject): Description | undefined {
  const comment = table.comment?.trim()
  return comment ? { text: comment, origin: 'comment' } : undefined
}

/** Spells a part of a relation for YAML. dbt puts quotes around it, but escapes nothing inside them. */
function relationPart(stored: string, level: keyof Dialect['dbt']['quotes'], dialect: Dialect): string {
  const isQuoted = dialect.dbt.quotes[level] || needsQuotes(stored, dialect)
  return isQuoted ? escapeIdentifier(stored, dialect) : plainSpelling(stored, dialect)
}

/** Returns a name in lower case if it is left unquoted and its case has no meaning. */
function plainSpelling(stored: string, dialect: Dialect): string {
  const isFolded = dialect.identifiers.folds === 'upper' && foldCase(stored, dialect) === stored
  return isFolded && !needsQuotes(stored, dialect) ? stored.toLowerCase() : stored
}

/** Returns the database of a source; undefined if it is that of dbt runs. */
function databaseOf({ name, settings }: Subject): string | undefined {
  if (name.database === undefined) return undefined
  const isDefault = settings.config.defaultDatabase?.toLowerCase() === name.database.toLowerCase()
  return isDefault ? undefined : relationPart(name.database, 'database', settings.dialect)
}

/** Returns quotes for the parts that need them, if the adapter writes none; nested schemas get none. */
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

function sourceColumn(column: Column, { loader, settings }: Subject): SourceColumn {
  const { dialect, options } = settings
  const quote = needsQuotes(column.name, dialect)
  const isLoaders = isLoaderColumn(column.name, loader)
  const comment = column.comment?.trim()
  const rule = isLoaders ? loader?.columns[column.name.toLowerCase()] : undefined
  const description: Description | undefined = comment
    ? { text: comment, origin: 'comment' }
    : rule === undefined
      ? undefined
      : { text: rule, origin: 'rule', rule: 'loader' }
  return {
    name: quote ? column.name : plainSpelling(column.name, dialect),
    quote,
    dataType:
      column.type === UNKNOWN_TYPE ? undefined : spellType(parseType(column.type, dialect).text, settings),
    description: options.addDocs ? description : undefined,
  }
}

/**
 * Returns the SQL of a row's load time: from the configured column, else from the loader's; undefined without either.
 */
function loadTimeExpression(subject: Subject): string | undefined {
  const { columns, loader, settings } = subject
  const { dialect } = settings
  const configured = configuredLoadTime(subject)
  const candidates =
    configured === undefined ? (loader?.loaded ?? []) : [{ column: configured, as: undefined }]
  for (const candidate of candidates) {
    const column = columns.findLast(({ name }) => name.toLowerCase() === candidate.column)
    if (!column) continue
    const sql = columnSql(column, dialect)
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

/** Returns the configured column in lower case, if the table has it. */
function configuredLoadTime({ columns, settings }: Subject): string | undefined {
  const { loadedAt } = settings.table
  if (loadedAt === undefined || missingColumns([loadedAt], columns).length > 0) return undefined
  return loadedAt.toLowerCase()
}

/** Plans a model that renames and converts the columns of one source table. */
export function planStaging({ findParent, subject }: PlanContext): Plan {
  const { options } = subject.settings
  const key = findKey(subject)
  const deleted = findDeletedRows(subject)
  const { rows, warnings: rowWarnings } = planRows(subject, key, deleted)
  const { columns, leftOut, warnings: columnWarnings } = planColumns({ subject, key, deleted })
  const { references, warnings: referenceWarnings } = findReferences(subject, columns, findParent)
  const tests = options.addTests
    ? planTests({
        subject,
        key,
        columns,
        references,
        findParent,
        rowsRepeat: false,
        keyRepeats: key?.repeats === true && rows.deduplicate === undefined,
      })
    : NO_TESTS
  return {
    ...planFrame(subject),
    model: {
      ...modelFrame(subject),
      description: options.addDocs ? describeModel(subject, { key, rows, deleted }) : undefined,
      tests: tests.onModel,
    },
    columns: columns.map((column) => finishColumn(column, { subject, key, references }, tests.onColumns)),
    leftOut,
    key,
    rows,
    snapshot: undefined,
    warnings: [
      ...subject.warnings,
      ...columnWarnings,
      ...rowWarnings,
      ...(options.addTests ? [...referenceWarnings, ...tests.warnings] : []),
    ],
  }
}

export const NO_TESTS: TestDecision = { onColumns: new Map(), onModel: [], warnings: [] }

/** Plans the parts that do not depend on columns. */
export function planFrame(
  subject: Subject,
): Pick<Plan, 'type' | 'dialect' | 'input' | 'selection' | 'source' | 'paths' | 'style'> {
  const { dbtSource, settings, table, tableName, type } = subject
  const hidden = table.columns.filter((column) => column.hidden === true)
  const { addDocs = false, columnOrder, leadingCommas, testReasons } = settings.options
  return {
    type,
    dialect: settings.dialect.name,
    input:
      table.model === undefined
        ? `source('${dbtSource}', '${tableName}')`
        : `ref('${escapeInvisible(table.model)}')`,
    selection: ['*', ...hidden.map((column) => printIdentifier(column.name, settings.dialect))].join(', '),
    source: table.model === undefined ? planSource(subject) : undefined,
    paths: planPaths(subject),
    style: { groups: columnOrder === 'groups', leadingCommas, testReasons, docs: addDocs },
  }
}

export function modelFrame({ modelName, settings }: Subject): Omit<Plan['model'], 'description' | 'tests'> {
  const { contract, dataTypes, materialized } = settings.options
  return { name: modelName, materialized, contract, dataTypes: contract || dataTypes }
}

export function finishColumn(
  column: StagedColumn,
  input: DescriptionInput,
  tests: ReadonlyMap<number, readonly PlannedTest[]>,
): PlannedColumn {
  const { alias, dataType, expression, family, group, name, ordinal, quoted, reasons } = column
  return {
    source: column.column?.name,
    ordinal,
    expression,
    name,
    alias,
    quoted,
    family,
    dataType,
    group,
    reasons,
    description: input.subject.settings.options.addDocs ? describeColumn(column, input) : undefined,
    tests: tests.get(ordinal) ?? [],
  }
}

/** The rows and names of a table's model, without its tests, for foreign keys of its children. */
interface StagedShape {
  readonly columns: readonly StagedColumn[]
  readonly rows: PlannedRows
  readonly key: Key | undefined
}

export function shapeOf(subject: Subject): StagedShape {
  const key = findKey(subject)
  const deleted = findDeletedRows(subject)
  return {
    key,
    columns: planColumns({ subject, key, deleted }).columns,
    rows: planRows(subject, key, deleted).rows,
  }
}
