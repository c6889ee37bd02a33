import type { IndexedModel } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import { asMap } from '../project/model-config.ts'
import { relationName } from '../project/relation-name.ts'
import type { Place } from '../project/source-file.ts'
import { type HardCodedRead, hardCodedReads } from '../rules/hard-coded-relation.ts'
import { placeOf } from '../rules/subjects.ts'
import { TemplateFault } from './jinja/syntax.ts'
import { UNKNOWN_CALL, Unworkable } from './jinja/values.ts'
import { hasKnownOrigins, type QueryColumn, type RootRead } from './query.ts'
import { modelRenderer, type RenderedModel } from './render-model.ts'
import { resolveQuery } from './resolve-query.ts'
import type {
  ColumnRead,
  ModelStructure,
  OutputColumn,
  SqlStructure,
  StructureRelation,
} from './sql-structure.ts'
import type { Span } from './syntax-tree.ts'

/** The used part of `@polyglot-sql/sdk`. */
interface SqlParser {
  readonly init: () => Promise<void>
  readonly parse: (sql: string, dialect: string) => ParseOutcome
  readonly generateDataType: (type: unknown, dialect: string) => { readonly sql?: string }
}

interface ParseOutcome {
  readonly success: boolean
  readonly ast?: readonly unknown[]
  readonly error?: string
  readonly errorLine?: number
}

export interface StructureOptions {
  /**
   * Evaluates macros of the project, with limits and without access beyond the project. Turn it off for untrusted
   * projects.
   *
   * @default true
   */
  readonly macros?: boolean
  /** @default imports the optional package `@polyglot-sql/sdk` */
  readonly loadParser?: () => Promise<unknown>
  /** Returns the columns of a source table; undefined if unknown. @default all unknown */
  readonly rawColumns?: (source: string, table: string) => readonly string[] | undefined
}

/**
 * Loads the parser and returns the structure of a project's models.
 *
 * @throws {StagecraftError} INVALID_REQUEST if the parser is not installed.
 */
export async function loadSqlStructure(
  project: LintProject,
  {
    loadParser = () => import('@polyglot-sql/sdk'),
    macros = true,
    rawColumns = () => undefined,
  }: StructureOptions = {},
): Promise<SqlStructure> {
  const parser = await loadModule(loadParser)
  const renderer = modelRenderer(project, macros)
  const read = new Map<IndexedModel, ModelStructure>()
  const of = (model: IndexedModel): ModelStructure => {
    const known = read.get(model)
    if (known) return known
    // A model that reads itself through others has no known columns.
    read.set(model, { status: 'unread', reason: 'it reads itself through other models' })
    const structure = readModel(model, { parser, project, renderer, columnsOf })
    read.set(model, structure)
    return structure
  }
  const columnsOf = (relation: StructureRelation): readonly string[] | undefined => {
    if (relation.kind === 'source') return rawColumns(relation.source, relation.table)
    if (relation.kind !== 'model') return undefined
    const found = of(relation.model)
    return found.status === 'read' && found.gaps.length === 0
      ? found.columns.map(({ name }) => name)
      : undefined
  }
  return { of }
}

async function loadModule(load: () => Promise<unknown>): Promise<SqlParser> {
  try {
    const parser = (await load()) as SqlParser
    await parser.init()
    return parser
  } catch (cause) {
    throw new StagecraftError(
      'INVALID_REQUEST',
      'the package @polyglot-sql/sdk, which parses the SQL of models, cannot be loaded; install it next to stagecraft',
      { cause },
    )
  }
}

interface Reading {
  readonly parser: SqlParser
  readonly project: LintProject
  readonly renderer: ReturnType<typeof modelRenderer>
  readonly columnsOf: (relation: StructureRelation) => readonly string[] | undefined
}

/** Larger and more deeply nested SQL is not read. */
const LARGEST = 250_000
const DEEPEST = 150

function readModel(model: IndexedModel, reading: Reading): ModelStructure {
  const text = reading.project.files.get(model.path)?.text
  if (model.kind === 'seed') return seedColumns(model, text, reading.project)
  const sql = model.relation === undefined ? text : allRowsOf(model.relation)
  if (!(model.relation !== undefined || model.path.endsWith('.sql')) || sql === undefined)
    return { status: 'unread', reason: 'it is not written in SQL' }
  try {
    return readSql(model, reading.renderer.render(model, sql), reading)
  } catch (error) {
    if (error instanceof TemplateFault || error instanceof Unworkable)
      return { status: 'unread', reason: error.message }
    if (error instanceof RangeError) return { status: 'unread', reason: 'it is nested too deep' }
    throw error
  }
}

/** A snapshot that YAML defines keeps all rows of its relation. */
function allRowsOf(relation: string): string {
  return `select * from ${relation.includes('{{') ? relation : `{{ ${relation} }}`}`
}

/** Returns the header of a seed. Quoted names keep their spelling; an unusual header is not read. */
function seedColumns(model: IndexedModel, header: string | undefined, project: LintProject): ModelStructure {
  const delimiter = project.configOf(model, 'delimiter')
  const sign = delimiter.status === 'set' ? delimiter.value : ','
  if (delimiter.status === 'unknown' || typeof sign !== 'string' || sign === '')
    return { status: 'unread', reason: 'its delimiter is only known when dbt runs' }
  const names = (header ?? '')
    .replace(/\r?\n[^]*$/, '')
    .replace(/^\uFEFF/, '')
    .split(sign)
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  // dbt_project.yml may set another delimiter for a folder of seeds
  const isOne = names.length === 1 && /[;|\t]/.test(names[0] ?? '')
  if (isOne || names.some((name) => name === '' || name.includes('"')))
    return { status: 'unread', reason: 'its header cannot be read' }
  const place = { path: model.path, start: 0, end: 0 }
  const columns = names.map((name): OutputColumn => ({
    name,
    place,
    kind: 'expression',
    sources: [],
    isSourceComplete: true,
    casts: [],
    isFromStar: false,
  }))
  const nothing = {
    gaps: [],
    relations: [],
    reads: [],
    excluded: [],
    unresolved: [],
    unknowns: [],
    joins: [],
    openStars: [],
    stars: [],
  }
  return { status: 'read', columns, ...nothing }
}

function readSql(model: IndexedModel, rendered: RenderedModel, reading: Reading): ModelStructure {
  const { dialect } = reading.project
  // A pair of surrogates is one character to the parser, and two here.
  const sql = rendered.sql.replaceAll(/[\uD800-\uDFFF]/g, '\uFFFD')
  if (sql.trim() === '') return { status: 'unread', reason: 'it prints no SQL' }
  if (sql.length > LARGEST || depthOf(sql) > DEEPEST)
    return { status: 'unread', reason: 'its SQL is too large or nested too deep' }
  const parsed = parse(sql, dialect.parsers.polyglot, reading.parser)
  if (typeof parsed === 'string') {
    const isUnknown = sql.includes(UNKNOWN_CALL)
    const what = rendered.unknowns.length > 0 ? rendered.unknowns.join(', ') : 'a part of it'
    const [guess = parsed] = rendered.guesses
    return { status: 'unread', reason: isUnknown ? `${what} is only known when dbt runs` : guess }
  }
  const hardCoded = new Map(
    hardCodedReads(reading.project, model).map(({ name, to }) => [name.toLowerCase(), toRelation(to)]),
  )
  const { excluded, joins, query, reads, unresolved } = resolveQuery(parsed, {
    sql,
    relationOf: (name, written = '') => rendered.relations.get(name) ?? hardCoded.get(written.toLowerCase()),
    nameOf: (relation) => nameInWarehouse(relation, reading.project),
    columnsOf: reading.columnsOf,
    printType: (type) => printType(type, dialect.parsers.polyglot, reading.parser),
    unknowns: rendered.unknowns,
  })
  const openGaps = query.open.map(({ relation }) => `the columns of ${printRelation(relation)} are not known`)
  const named = query.columns.filter(({ name }) => name !== '')
  const unnamed = named.length < query.columns.length ? ['an expression has no name'] : []
  const isRenamed =
    model.kind === 'snapshot' &&
    reading.project.configOf(model, 'snapshot_meta_column_names').status === 'unknown'
  const namesGap = isRenamed ? ['the names of the columns that dbt adds are not known'] : []
  const place = placer(rendered, reading.project, model)
  return {
    status: 'read',
    columns: [
      ...named.map((column) => toOutput(column, place)),
      ...snapshotColumns(model, reading.project).map((name) => addedColumn(name, place)),
    ],
    gaps: [...new Set([...openGaps, ...query.gaps, ...unnamed, ...rendered.guesses, ...namesGap])],
    relations: [
      ...[...rendered.relations].filter(([name]) => sql.includes(name)).map(([, relation]) => relation),
      ...hardCoded.values(),
    ],
    reads: reads.map((one) => toRead(one, place)),
    excluded: excluded.map((one) => toRead(one, place)),
    unresolved,
    unknowns: rendered.unknowns,
    joins: joins.map(({ left, right }) => ({ left: toRead(left, place), right: toRead(right, place) })),
    openStars: hasKnownOrigins(query)
      ? query.open.map(({ relation, span, without }) => ({ relation, without, place: place(span) }))
      : [],
    stars: query.stars.map(place),
  }
}

function toRelation(to: HardCodedRead['to']): StructureRelation {
  return 'table' in to ? { kind: 'source', source: to.source, table: to.table } : { kind: 'model', model: to }
}

function nameInWarehouse(relation: StructureRelation, project: LintProject): string | undefined {
  if (relation.kind === 'model') return relationName(project, relation.model)
  if (relation.kind === 'other') return relation.name.split('.').at(-1)?.toLowerCase()
  const tables = project.index.sources.find(({ name }) => name === relation.source)?.tables ?? []
  const declared = tables.find(({ name }) => name === relation.table)
  return (declared?.identifier ?? relation.table).toLowerCase()
}

/** Returns the tree of a model's only statement, or the reason why there is none. */
function parse(sql: string, dialect: string, parser: SqlParser): unknown {
  try {
    const { ast, error, errorLine, success } = parser.parse(sql, dialect)
    const [statement, ...others] = ast ?? []
    if (!success || statement === undefined)
      return `its SQL cannot be parsed${errorLine === undefined ? '' : ` (line ${errorLine} of what it prints)`}: ${firstLine(error)}`
    return others.length === 0 ? statement : 'it has more than one statement'
  } catch {
    return 'its SQL cannot be parsed'
  }
}

function firstLine(error = 'no reason given'): string {
  return error.split('\n')[0]?.slice(0, 160) ?? error
}

/** Counts the depth of parentheses, including those in texts. */
function depthOf(sql: string): number {
  let [depth, deepest] = [0, 0]
  for (const [sign] of sql.matchAll(/[([{]|[)\]}]|\bcase\b|\bend\b/gi)) {
    depth += /[([{]|case/i.test(sign) ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function printType(type: unknown, dialect: string, { generateDataType }: SqlParser): string {
  return generateDataType(type, dialect).sql?.toLowerCase() ?? ''
}

function printRelation(relation: StructureRelation): string {
  if (relation.kind === 'source') return `source ${relation.source}.${relation.table}`
  return relation.kind === 'model' ? relation.model.name : relation.name
}

type Placer = (span: Span) => Place

/** Returns the place of a piece of SQL, or of the whole model if it has none. */
function placer(rendered: RenderedModel, project: LintProject, model: IndexedModel): Placer {
  return ({ end, start }) => {
    return end > start && model.relation === undefined
      ? rendered.placeOf(start, end)
      : placeOf(project, model)
  }
}

function toRead({ column, relation, span }: RootRead, place: Placer): ColumnRead {
  return { relation, column, place: place(span) }
}

function toOutput({ sources, span, ...rest }: QueryColumn, place: Placer): OutputColumn {
  return { ...rest, place: place(span), sources: sources.map((one) => toRead(one, place)) }
}

const SNAPSHOT_COLUMNS = ['dbt_scd_id', 'dbt_updated_at', 'dbt_valid_from', 'dbt_valid_to'] as const

/** Returns the columns that dbt adds to snapshots, whose names may be configured. */
function snapshotColumns(model: IndexedModel, { configOf }: LintProject): readonly string[] {
  if (model.kind !== 'snapshot') return []
  const valueOf = (key: string): unknown => {
    const found = configOf(model, key)
    return found.status === 'set' ? found.value : undefined
  }
  const names = asMap(valueOf('snapshot_meta_column_names'))
  const nameOf = (column: string): string => {
    const name = names[column]
    return typeof name === 'string' ? name : column
  }
  const isMarked = valueOf('hard_deletes') === 'new_record'
  return [...SNAPSHOT_COLUMNS, ...(isMarked ? ['dbt_is_deleted'] : [])].map(nameOf)
}

function addedColumn(name: string, place: Placer): OutputColumn {
  return {
    name,
    place: place({ start: 0, end: 0 }),
    kind: 'expression',
    sources: [],
    isSourceComplete: false,
    casts: [],
    isFromStar: false,
  }
}
