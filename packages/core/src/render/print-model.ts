import { compareText, type ModelKind, type Warning } from '@stagecraft/spec'
import { type Kind, KINDS } from '../plan/kinds.ts'
import type { Plan, SnapshotPlan } from '../plan/plan.ts'
import { findFalseComment } from '../verify/false-comment.ts'
import type { YamlProfile } from '../yaml/profiles.ts'
import { modelTree } from './model-tree.ts'
import type { PropertyTree } from './property-tree.ts'
import { notAsPlanned, type Renderer } from './renderer.ts'
import { selectGroups } from './select-list.ts'
import { sourceTree, tableTree } from './source-trees.ts'
import type { TemplateCheck } from './templates.ts'

/** Text for a file, and what it has to mean; the latter only where somebody will check it. */
interface PrintedEntry {
  readonly text: string
  readonly tree: PropertyTree | undefined
}

/** The entries that the property files of a model consist of. */
export interface PrintedEntries {
  readonly kind: ModelKind
  readonly name: string
  readonly paths: Plan['paths']
  readonly warnings: readonly Warning[]
  readonly testNames: readonly string[]
  readonly entry: PrintedEntry
  /** Undefined when the model reads another model. */
  readonly source: PrintedSource | undefined
}

/** A plan, printed, so that the plan itself can go. */
export interface PrintedModel extends PrintedEntries {
  readonly sql: string
}

export interface PrintedSource {
  /** The dbt source. */
  readonly name: string
  readonly tree: PropertyTree
  /** `stripe.payments`. */
  readonly tableName: string
  readonly table: PrintedEntry
  /** Descriptions were asked for. */
  readonly docs: boolean
}

/** @param commonLoader The loader of all tables of the source, when they share one. */
export function printModel(plan: Plan, renderer: Renderer, commonLoader: string | undefined): PrintedModel {
  const { profile, templates } = renderer
  const tree = modelTree(plan, profile)
  return {
    kind: plan.kind,
    name: plan.model.name,
    paths: plan.paths,
    warnings: plan.warnings,
    testNames: testNames(plan),
    sql: printSql(plan, renderer),
    entry: {
      text: trimEnd(templates.render('model.yml', { entry: tree, plan })),
      tree: templates.check && tree,
    },
    source: plan.source && printSource(plan, plan.source, { renderer, commonLoader }),
  }
}

function testNames({ columns, model }: Plan): readonly string[] {
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

/** The line ends are those of the file around it. */
function trimEnd(text: string): string {
  return text.endsWith('\n') ? text.replace(/\n+$/, '') : text
}

function printSql(plan: Plan, { dialect, profile, templates }: Renderer): string {
  const { template } = KINDS[plan.kind]
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
  template: Kind['template'],
  data: object,
  { reference, sql: check }: TemplateCheck,
): string | undefined {
  const fault = check?.(sql)
  const isJudge = fault === undefined || check?.(reference.render(template, data)) === undefined
  return isJudge && fault !== undefined ? `the SQL cannot be parsed: ${fault}` : undefined
}
