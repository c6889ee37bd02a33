import type { Dialect } from '@stagecraft/dialects'
import {
  type GeneratedFile,
  type ModelType,
  StagecraftError,
  type Warning,
  compareText,
} from '@stagecraft/spec'
import { MODEL_PARTS, type ModelParts } from '../plan/model-types.ts'
import type { Plan, PlannedColumn, SnapshotPlan, SqlLines } from '../plan/plan.ts'
import { findFalseComment } from '../verify/false-comment.ts'
import { compareYaml } from '../verify/yaml-contains.ts'
import type { YamlProfile } from '../yaml/profiles.ts'
import { type PropertyTree, modelTree, sourceTree, tableTree } from './property-trees.ts'
import type { TemplateCheck, TemplateName, Templates } from './templates.ts'

/** The templates and the YAML profile that print plans. */
export interface Renderer {
  readonly templates: Templates
  readonly profile: YamlProfile
  readonly dialect: Dialect
}

/** The error for output of a user's template that deviates from the plan. */
function notAsPlanned(template: TemplateName, subject: string, reason: string): StagecraftError {
  const message = `template ${template} did not print ${subject} as planned: ${reason}`
  return new StagecraftError('GENERATION_FAILED', message, { details: { template, reason } })
}

/** A column for the template, with the text before and after it. */
interface SelectItem {
  readonly lead: string
  readonly select: SqlLines
  readonly comma: string
  readonly column: PlannedColumn
}

/** Columns under a common comment; without a name if the model is not grouped. */
interface SelectGroup {
  readonly name: string | undefined
  readonly columns: readonly SelectItem[]
  /** All columns in order, each with the text before and after it. */
  readonly lines: SqlLines
}

/** Returns the list after `select`, in groups. */
function selectGroups({ columns, style }: Plan): readonly SelectGroup[] {
  const items = columns.map((column, index): SelectItem => {
    const isFirst = index === 0
    const isLast = index === columns.length - 1
    return {
      column,
      select: withAlias(column),
      lead: style.leadingCommas && !isFirst ? ', ' : '',
      comma: style.leadingCommas || isLast ? '' : ',',
    }
  })
  if (!style.groups) return [groupOf(undefined, items)]
  return [...Map.groupBy(items, ({ column }) => column.group)].map(([name, group]) => groupOf(name, group))
}

function groupOf(name: string | undefined, columns: readonly SelectItem[]): SelectGroup {
  const lines: string[] = []
  for (const { comma, lead, select } of columns) {
    const last = select.length - 1
    for (const [index, line] of select.entries())
      lines.push((index === 0 ? lead : '') + line + (index === last ? comma : ''))
  }
  return { name, columns, lines }
}

/** The style guide's limit, less the indentation of the list and a comma. */
const WIDTH = 80 - 8 - 1

function withAlias({ alias, expression }: PlannedColumn): SqlLines {
  const [only] = expression
  if (expression.length === 1 && only === alias) return expression
  const last = `${expression.at(-1)} as ${alias}`
  if (expression.length === 1 && last.length > WIDTH) return [...expression, `    as ${alias}`]
  return [...expression.slice(0, -1), last]
}

/** The text of a file, and its planned data if it must be checked. */
interface PrintedEntry {
  readonly text: string
  readonly tree: PropertyTree | undefined
}

/** The entries that the property files of a model consist of. */
export interface PrintedEntries {
  readonly type: ModelType
  readonly name: string
  readonly paths: Plan['paths']
  readonly warnings: readonly Warning[]
  readonly entry: PrintedEntry
  /** Undefined when the model reads another model. */
  readonly source: PrintedSource | undefined
}

/** A printed plan; the plan itself can be dropped. */
interface PrintedModel extends PrintedEntries {
  readonly sql: string
}

interface PrintedSource {
  /** The dbt source. */
  readonly name: string
  readonly tree: PropertyTree
  /** `stripe.payments`. */
  readonly tableName: string
  readonly table: PrintedEntry
  /** True if descriptions were requested. */
  readonly docs: boolean
}

/** @param commonLoader The loader of all tables of the source, when they share one. */
export function printModel(plan: Plan, renderer: Renderer, commonLoader: string | undefined): PrintedModel {
  const { templates } = renderer
  const tree = modelTree(plan, renderer)
  return {
    type: plan.type,
    name: plan.model.name,
    paths: plan.paths,
    warnings: plan.warnings,
    sql: printSql(plan, renderer),
    entry: {
      text: trimEnd(templates.render('model.yml', { entry: tree, plan })),
      tree: templates.check && tree,
    },
    source: plan.source && printSource(plan, plan.source, { renderer, commonLoader }),
  }
}

/** Returns the names of the tests of a plan, each once, in order. */
export function testNames({ columns, model }: Plan): readonly string[] {
  const tests = [...model.tests, ...columns.flatMap((column) => column.tests)]
  return [...new Set(tests.map(({ name }) => name))].toSorted(compareText)
}

interface SourceInput {
  readonly renderer: Renderer
  readonly commonLoader: string | undefined
}

function printSource(
  plan: Plan,
  source: NonNullable<Plan['source']>,
  { commonLoader, renderer }: SourceInput,
): PrintedSource {
  const { profile, templates } = renderer
  const table = tableTree(source, commonLoader, profile)
  return {
    name: source.name,
    tree: sourceTree(source, commonLoader),
    tableName: `${source.name}.${source.table.name}`,
    table: { text: trimEnd(templates.render('table.yml', { table, plan })), tree: templates.check && table },
    docs: plan.style.docs,
  }
}

/** Removes line ends at the end; the file around the text adds its own. */
function trimEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}

function printSql(plan: Plan, { dialect, profile, templates }: Renderer): string {
  const { template } = MODEL_PARTS[plan.type]
  const data = modelData(plan, { dialect, profile })
  const sql = templates.render(template, data)
  const fault =
    templates.check && (findFalseComment(sql, dialect) ?? sqlFault(sql, template, data, templates.check))
  if (fault === undefined) return sql
  throw notAsPlanned(template, plan.model.name, fault)
}

function modelData(plan: Plan, { dialect, profile }: Pick<Renderer, 'dialect' | 'profile'>): object {
  const name = plan.rows.deduplicate ? 'deduplicated' : 'source'
  return {
    plan,
    groups: selectGroups(plan),
    comment: dialect.lexing.comments.line,
    rows: plan.rows.where === undefined ? name : 'active',
    uniqueKey: plan.snapshot && snapshotKey(plan.snapshot, profile),
    needsTargetSchema: profile.snapshotsNeedSchema,
  }
}

function snapshotKey(
  { joinedKey, uniqueKey }: SnapshotPlan,
  profile: YamlProfile,
): string | readonly string[] {
  if (uniqueKey.length === 1 && uniqueKey[0] !== undefined) return uniqueKey[0]
  return profile.snapshotKeyLists ? uniqueKey : joinedKey
}

function sqlFault(
  sql: string,
  template: ModelParts['template'],
  data: object,
  { reference, sql: check }: TemplateCheck,
): string | undefined {
  const fault = check?.(sql)
  const isJudge = fault === undefined || check?.(reference.render(template, data)) === undefined
  return isJudge && fault !== undefined ? `the SQL cannot be parsed: ${fault}` : undefined
}

/** Returns the file of a model. */
export function modelFile({ name, paths, sql }: PrintedModel): GeneratedFile {
  return { path: paths.model, content: sql, covers: [name] }
}

/** Prints the property files of models, entries of one path together. */
export function printYamlFiles(
  models: readonly PrintedEntries[],
  renderer: Renderer,
): readonly GeneratedFile[] {
  const reading = models.filter(({ source }) => source !== undefined)
  const sources = Map.groupBy(reading, ({ paths }) => paths.sourceYaml)
  const yamls = Map.groupBy(models, ({ paths }) => paths.modelYaml)
  const parts = [
    ...[...sources].map(([path, shared]) => printSourceYaml(path, shared, renderer)),
    ...[...yamls].flatMap(([path, shared]) =>
      [...Map.groupBy(shared, listOf)].map(([list, own]) =>
        printModelYaml(path, { list, models: own }, renderer),
      ),
    ),
  ]
  return [...Map.groupBy(parts, ({ path }) => path).values()].flatMap(joinLists)
}

function listOf({ type }: PrintedEntries): string {
  return MODEL_PARTS[type].yamlList
}

/** Combines several lists of one file under one version. */
function joinLists(parts: readonly GeneratedFile[]): readonly GeneratedFile[] {
  const [first, ...rest] = parts
  if (!first || rest.length === 0) return parts
  const lists = rest.map(({ content }) => content.replace(/^version:.*\n+/, ''))
  const content = `${[first.content, ...lists].map(trimEnd).join('\n\n')}\n`
  return [{ path: first.path, content, covers: parts.flatMap(({ covers }) => covers) }]
}

function printModelYaml(
  path: string,
  { list, models }: { readonly list: string; readonly models: readonly PrintedEntries[] },
  { templates }: Renderer,
): GeneratedFile {
  const content = templates.render('models.yml', { list, entries: models.map(({ entry }) => entry.text) })
  const planned = { [list]: models.map(({ entry }) => entry.tree) }
  const fault = templates.check && compareYaml(content, planned)
  if (fault !== undefined) throw notAsPlanned('models.yml', path, fault)
  return { path, content, covers: models.map(({ name }) => name) }
}

function printSourceYaml(
  path: string,
  models: readonly PrintedEntries[],
  { templates }: Renderer,
): GeneratedFile {
  const tables = distinctTables(models)
  const sources = [...Map.groupBy(tables, ({ name }) => name).entries()]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, group]) => ({ entry: group[0]?.tree, tables: group.map(({ table }) => table.text) }))
  const content = templates.render('sources.yml', { sources, docs: tables.some(({ docs }) => docs) })
  const fault = templates.check && compareYaml(content, plannedSources(tables))
  if (fault !== undefined) throw notAsPlanned('sources.yml', path, fault)
  return { path, content, covers: tables.map(({ tableName }) => tableName) }
}

function plannedSources(tables: readonly PrintedSource[]): object {
  const groups = [...Map.groupBy(tables, ({ name }) => name).entries()].toSorted(([a], [b]) =>
    compareText(a, b),
  )
  return {
    sources: groups.map(([, group]) => ({ ...group[0]?.tree, tables: group.map(({ table }) => table.tree) })),
  }
}

/** Returns one entry per table, even if models of several types read it. */
function distinctTables(models: readonly PrintedEntries[]): readonly PrintedSource[] {
  const sources = models.flatMap(({ source }) => source ?? [])
  return [...new Map(sources.map((source) => [source.tableName, source])).values()]
}
