import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Entry } from '../project/properties-file.ts'
import type { Hit, Unchecked } from '../rule.ts'
import type { OutputColumn, ReadStructure } from '../structure/sql-structure.ts'
import type { Subject } from '../vocabulary.ts'
import { builtModels, subjectOf } from './subjects.ts'

/** A model whose SQL could be read, with the entry that describes it. */
export interface ReadModel {
  readonly model: IndexedModel
  readonly structure: ReadStructure
  readonly subject: (detail?: string) => Subject
}

/** Checks the models with readable SQL; the others are reported as not checked. */
export function checkStructures(
  project: LintProject,
  check: (read: ReadModel) => readonly (Hit | Unchecked)[],
): readonly (Hit | Unchecked)[] {
  return builtModels(project).flatMap((model) => {
    const structure = project.structure.of(model)
    if (structure.status === 'unread') return [{ subject: subjectOf(model), unchecked: structure.reason }]
    return check({ model, structure, subject: (detail) => subjectOf(model, detail) })
  })
}

/** Checks the models whose columns are all known; the others are reported as not checked. */
export function checkColumns(
  project: LintProject,
  check: (read: ReadModel) => readonly (Hit | Unchecked)[],
): readonly (Hit | Unchecked)[] {
  return checkStructures(project, (read) => {
    const [gap] = read.structure.gaps
    return gap === undefined ? check(read) : [{ subject: read.subject(), unchecked: gap }]
  })
}

/** Returns the column with a name, in any case. */
export function findColumn(columns: readonly OutputColumn[], name: string): OutputColumn | undefined {
  const wanted = bare(name).toLowerCase()
  return columns.find((column) => column.name.toLowerCase() === wanted)
}

/** Removes quotes from a name: YAML may contain those of the warehouse. */
export function bare(name: string): string {
  return name.replace(/^(["`])(.*)\1$/s, '$2')
}

/** Returns the tests of an entry: names of tests without arguments, and maps. */
export function testsOf({ get }: Entry): readonly unknown[] {
  return [get('data_tests'), get('tests')].flatMap((tests) =>
    Array.isArray(tests) ? (tests as unknown[]) : [],
  )
}

/** A test in properties. */
export interface WrittenTest {
  /** `unique`, `dbt_utils.unique_combination_of_columns`. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly severity: string
  /** False if only `dbt_project.yml` and dbt's default decide the severity. */
  readonly hasSeverity: boolean
  /** Its text in the file. */
  readonly written: unknown
}

/** Reads tests in all forms of dbt. */
export function readTests(entry: Entry): readonly WrittenTest[] {
  return testsOf(entry).flatMap((written) => {
    if (typeof written === 'string')
      return [{ name: written, arguments: {}, severity: 'error', hasSeverity: false, written }]
    const map = asMap(written)
    const [first] = Object.entries(map)
    const [name, body] =
      typeof map['test_name'] === 'string' ? [map['test_name'], map] : [first?.[0], asMap(first?.[1])]
    if (name === undefined) return []
    const severity = asMap(body['config'])['severity'] ?? body['severity']
    return [
      {
        name,
        arguments: { ...body, ...asMap(body['arguments']) },
        severity: typeof severity === 'string' ? severity.toLowerCase() : 'error',
        hasSeverity: severity !== undefined && severity !== null,
        written,
      },
    ]
  })
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
