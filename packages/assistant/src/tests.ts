import {
  type Entry,
  idOfModel,
  idOfRelation,
  idOfTable,
  lineOfPlace,
  type LineageNode,
  type ModelStructure,
  readTests,
  type WrittenTest,
} from '@stagecraft/analysis'
import { findCalls, type IndexedModel, isCode, referencesOf, scanSql, testValues } from '@stagecraft/dbt'
import type { ProjectView } from './project-view.ts'
import { oncePerView, referencesTo } from './references.ts'
import { entryOf, textOfTest } from './resources.ts'

/** A test that properties declare for a relation or column, or a file of its own. */
export interface DeclaredTest {
  readonly id: string
  readonly column?: string
  readonly name: string
  /** With its arguments: `relationships {"to":"ref('stg_customers')","field":"customer_id"}`. */
  readonly text: string
  readonly path: string
  readonly line: number
  /** The ids of other relations that its arguments name. @default none */
  readonly reads?: readonly string[]
  /** The names in its arguments, in lower case: columns of its relation, and words of SQL. @default none */
  readonly names?: ReadonlySet<string>
  /** The same for the other relations that it reads. @default none */
  readonly otherNames?: ReadonlySet<string>
  /** The expression that it tests instead of a column. @default none */
  readonly expression?: string
  /** `error` or `warn`. @default only known when dbt runs, or a unit test, which has none */
  readonly severity?: string
}

/** Returns the tests of a relation and its columns: from properties, from files of their own, and unit tests. */
export function testsOf(view: ProjectView, node: LineageNode): readonly DeclaredTest[] {
  return [
    ...declaredTests(view, node),
    ...singularTests(view, node).map(({ test }) => test),
    ...unitTests(view, node),
  ]
}

/** Returns the tests of other relations that read one: those that hold a column against it, for example. */
export function testsReading(view: ProjectView, { id }: LineageNode): readonly DeclaredTest[] {
  const others = view.lineage.nodes
    .filter((other) => other.id !== id && other.kind !== 'exposure')
    .flatMap((other) => declaredTests(view, other))
  return [...others, ...allUnitTests(view).map(({ test }) => test)].filter(({ reads = [] }) =>
    reads.includes(id),
  )
}

function declaredTests(view: ProjectView, node: LineageNode): readonly DeclaredTest[] {
  const entry = entryOf(view, node)
  const declared = (owner: Entry, ownColumn?: string): readonly DeclaredTest[] =>
    readTests(owner)
      .filter((test) => isEnabled(view, owner.place.path, [test.arguments, test.arguments['config']]))
      .map((test) => declaredTest(view, node, { owner, ownColumn, test }))
  return [
    ...(entry ? declared(entry) : []),
    ...(entry?.entries('columns') ?? []).flatMap((column) => declared(column, column.name)),
  ]
}

function declaredTest(
  view: ProjectView,
  node: LineageNode,
  {
    owner,
    ownColumn,
    test,
  }: { readonly owner: Entry; readonly ownColumn: string | undefined; readonly test: WrittenTest },
): DeclaredTest {
  const { path } = owner.place
  const { column_name: given } = test.arguments
  const named = typeof given === 'string' ? columnOf(given) : undefined
  const column = ownColumn ?? named
  return {
    id: `test.${node.id}${column === undefined ? '' : `:${column.toLowerCase()}`}.${test.name}`,
    ...(column !== undefined && { column }),
    ...(column === undefined && typeof given === 'string' && { expression: given }),
    name: test.name,
    text: textOfTest(test),
    path,
    line: lineOfPlace(view.project, owner.place),
    ...argumentsOf(view, test),
    ...severityOf(view, path, test.hasSeverity ? test.severity : undefined),
  }
}

/** Returns true for a test that dbt does not leave out: its own setting counts, else that of the project for its folder. */
function isEnabled({ project }: ProjectView, path: string, configs: readonly unknown[]): boolean {
  const own = configs
    .map((config): unknown => Reflect.get(Object(config), 'enabled'))
    .find((value) => value !== undefined)
  return (own ?? testValues(path, 'enabled', project.index.settings).at(-1)) !== false
}

/** The severity of a test: its own, else that of the project for its folder, else an error. */
function severityOf({ project }: ProjectView, path: string, own: unknown): Pick<DeclaredTest, 'severity'> {
  const found = own ?? testValues(path, 'severity', project.index.settings).at(-1) ?? 'error'
  const severity = typeof found === 'string' ? found.toLowerCase() : undefined
  return severity === 'error' || severity === 'warn' ? { severity } : {}
}

/** The column that a test of a relation names: `unique: { column_name: order_id }`. An expression is none. */
function columnOf(given: string): string | undefined {
  const bare = given.trim().replace(/^(["`])([^"`]*)\1$/, '$2')
  return /^\w+$/.test(bare) || bare !== given.trim() ? bare : undefined
}

/** Arguments that name no column of the relation: values, texts about the test, other relations and their columns. */
const OTHER_ARGUMENTS = new Set(
  `to field to_condition compare_model values value_set description name test_name severity tags meta config arguments
  warn_if error_if store_failures enabled limit`.split(/\s+/),
)

/** What the arguments of a test name: other relations, as in `to: ref('customers')`, and columns. */
function argumentsOf(
  view: ProjectView,
  { arguments: given }: WrittenTest,
): Pick<DeclaredTest, 'names' | 'otherNames' | 'reads'> {
  const where: unknown = given['where'] ?? Reflect.get(Object(given['config']), 'where')
  const own = Object.entries(given).filter(([key]) => !OTHER_ARGUMENTS.has(key))
  const names = namesIn(view, [...own.map(([, value]) => value), where])
  const reads = relationsIn(view, Object.values(given))
  const otherNames = namesIn(view, [given['field'], given['to_condition']])
  return {
    ...(names.size > 0 && { names }),
    ...(reads.length > 0 && { reads }),
    ...(otherNames.size > 0 && { otherNames }),
  }
}

/** Returns the ids of the relations that texts refer to: `ref('customers')`. */
export function relationsIn({ project }: ProjectView, values: readonly unknown[]): readonly string[] {
  const texts = values.filter((value): value is string => typeof value === 'string' && value.includes('('))
  if (texts.length === 0) return []
  const { models, sources } = referencesOf(
    texts.flatMap((text) => findCalls(text.includes('{{') ? text : `{{ ${text} }}`)),
  )
  return [
    ...sources.map(({ source, table }) => idOfTable(source, table)),
    ...models.flatMap((reference) => {
      const model = project.graph.resolve(reference)
      return model ? [idOfModel(model)] : []
    }),
  ]
}

/** Returns the names in pieces of SQL and in lists of them, in lower case and without quotes; words of SQL are among them. */
export function namesIn({ project }: ProjectView, values: readonly unknown[]): ReadonlySet<string> {
  const texts = values.flat(3).filter((value): value is string => typeof value === 'string')
  const found = texts.flatMap((text) =>
    scanSql(text, project.dialect)
      .filter(isCode)
      .flatMap(({ kind, text: token }): readonly string[] => {
        if (kind === 'word') return [token]
        if (kind === 'name') return [token.slice(1, -1)]
        return kind === 'jinja' || kind === 'jinja-block' ? (token.match(/\w+/g) ?? []) : []
      }),
  )
  return new Set(found.map((name) => name.toLowerCase()))
}

/** A test in a file of its own. */
export interface SingularTest {
  readonly test: DeclaredTest
  /** Its parsed SQL. */
  readonly structure: ModelStructure
  /** The ids of all relations that it reads, through macros too. */
  readonly relations: ReadonlySet<string>
}

/** Returns the tests in files of their own that read a relation. */
export function singularTests(view: ProjectView, node: LineageNode): readonly SingularTest[] {
  const lines = new Map(
    referencesTo(view, node)
      .toReversed()
      .map(({ line, path }) => [path, line]),
  )
  return allSingularTests(view)
    .filter(({ relations, test }) => lines.has(test.path) || relations.has(node.id))
    .map((one) => ({ ...one, test: { ...one.test, line: lines.get(one.test.path) ?? one.test.line } }))
}

const allSingularTests = oncePerView((view): readonly SingularTest[] => {
  const { calls, files, index, structure } = view.project
  const { testPaths } = index.settings
  const paths = [...files.values()].filter(
    ({ path, text }) =>
      path.endsWith('.sql') &&
      testPaths.some((folder) => path.startsWith(`${folder}/`)) &&
      // files of generic tests
      !/\{%-?\s*(?:macro|test|data_test)\b/.test(text),
  )
  return paths.flatMap(({ path, text }) => {
    if (isDisabledTest(view, path)) return []
    const configs = (calls.get(path) ?? []).filter((call) => call.name === 'config')
    const name = path.replace(/^.*\//, '').replace(/\.[^.]+$/, '')
    const set = configs.findLast(({ named }) => 'severity' in named)
    const own = set && (set.named['severity'] ?? null)
    const read = structure.of(asModel(name, path))
    const relations = read.status === 'read' ? read.relations : []
    return [
      {
        test: {
          id: `test.${name}`,
          name,
          text: `${name} reads it`,
          path,
          line: 1,
          names: namesIn(view, [text]),
          ...(own === null ? {} : severityOf(view, path, own)),
        },
        structure: read,
        relations: new Set(relations.flatMap((one) => idOfRelation(one) ?? [])),
      },
    ]
  })
})

/** Returns true for the file of a test that dbt leaves out. */
export function isDisabledTest(view: ProjectView, path: string): boolean {
  const { calls, index } = view.project
  if (!index.settings.testPaths.some((folder) => path.startsWith(`${folder}/`))) return false
  const configs = (calls.get(path) ?? []).filter((call) => call.name === 'config')
  return !isEnabled(view, path, configs.map(({ named }) => named).toReversed())
}

/** The SQL of a test is read as that of a model. */
function asModel(name: string, path: string): IndexedModel {
  const nothing = { version: undefined, propertiesPath: undefined, documented: undefined }
  return { kind: 'model', name, path, reads: [], models: [], isDynamic: false, config: {}, ...nothing }
}

function unitTests(view: ProjectView, node: LineageNode): readonly DeclaredTest[] {
  return allUnitTests(view)
    .filter(({ model }) => node.kind === 'model' && model === node.name)
    .map(({ test }) => test)
}

const allUnitTests = oncePerView(
  (view): readonly { readonly model: unknown; readonly test: DeclaredTest }[] =>
    view.project.properties
      .flatMap(({ entries }) => entries('unit_tests'))
      .filter((test) => Reflect.get(Object(test.get('config')), 'enabled') !== false)
      .map((test) => {
        const listed = test.get('given')
        const given: readonly unknown[] = Array.isArray(listed) ? listed : []
        return {
          model: test.get('model'),
          test: {
            id: `unit_test.${test.name}`,
            name: test.name,
            text: `unit test ${test.name}`,
            path: test.place.path,
            line: lineOfPlace(view.project, test.place),
            names: columnsInRows(view, [test.get('expect')]),
            reads: relationsIn(
              view,
              given.map((one): unknown => Reflect.get(Object(one), 'input')),
            ),
            otherNames: columnsInRows(view, given),
          },
        }
      }),
)

/** Returns the names of the columns in rows of unit tests: keys of maps, the header of CSV, or names in SQL. */
function columnsInRows(view: ProjectView, parts: readonly unknown[]): ReadonlySet<string> {
  const rows = parts.flatMap((part): unknown => Reflect.get(Object(part), 'rows'))
  const names = rows.flatMap((row) =>
    typeof row === 'string'
      ? [...namesIn(view, [/^\s*(?:select|with)\b/i.test(row) ? row : (row.trim().split('\n')[0] ?? '')])]
      : Object.keys(Object(row) as object),
  )
  return new Set(names.map((name) => name.toLowerCase()))
}
