import { parseType } from '@stagecraft/core/run'
import { type IndexedModel, layerOf, type YamlEdit, type YamlOwner, type YamlValue } from '@stagecraft/dbt'
import type { Column, Table } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import type { Entry } from '../project/properties-file.ts'
import { type SourceTable, sourceTables } from '../project/source-config.ts'
import type { Hit, Unchecked } from '../rule.ts'
import type { ColumnCast, OutputColumn, ReadStructure } from '../structure/sql-structure.ts'
import type { Fix, Subject } from '../vocabulary.ts'
import { bare, checkStructures, readTests } from './columns.ts'
import { builtModels } from './subjects.ts'

/** A declared table of a source, with its raw table. */
export interface DeclaredTable extends SourceTable {
  /** `shop.orders`. */
  readonly name: string
  readonly subject: (detail?: string) => Subject
  readonly owner: YamlOwner
}

/** Returns all declared tables of sources that are not disabled. */
export function declaredTables(project: LintProject): readonly DeclaredTable[] {
  return sourceTables(project).map((declared) => {
    const { source, table } = declared
    const name = `${source.name}.${table.name}`
    return {
      ...declared,
      name,
      owner: { list: 'sources' as const, name: source.name, table: table.name },
      subject: (detail?: string) => ({
        kind: 'source' as const,
        name,
        ...(detail !== undefined && { detail }),
      }),
    }
  })
}

/** Checks the declared tables with known raw tables; the others are reported as not checked. */
export function checkRawTables(
  project: LintProject,
  check: (declared: DeclaredTable, raw: Table) => readonly (Hit | Unchecked)[],
): readonly (Hit | Unchecked)[] {
  return declaredTables(project).flatMap((declared) => {
    const raw = project.raw.tableOf(declared.source.name, declared.table.name)
    return raw
      ? check(declared, raw)
      : [{ subject: declared.subject(), unchecked: 'its raw table is not known' }]
  })
}

export function rawColumn({ columns }: Table, name: string): Column | undefined {
  const wanted = bare(name).toLowerCase()
  return columns.find((column) => column.name.toLowerCase() === wanted)
}

/** A staging model of one raw table. */
export interface StagedTable {
  readonly declared: DeclaredTable
  readonly raw: Table
  readonly model: IndexedModel
  readonly structure: ReadStructure
  readonly subject: (detail?: string) => Subject
}

/** Checks the staging models of known raw tables; the others are reported as not checked. */
export function checkStaged(
  project: LintProject,
  check: (staged: StagedTable) => readonly (Hit | Unchecked)[],
): readonly (Hit | Unchecked)[] {
  const staging = builtModels(project).filter(
    (model) =>
      model.kind === 'model' &&
      layerOf(model) === 'staging' &&
      model.reads.length === 1 &&
      model.models.length === 0,
  )
  return checkRawTables(project, (declared, raw) =>
    staging
      .filter(
        ({ reads: [read] }) => read?.source === declared.source.name && read.table === declared.table.name,
      )
      .flatMap((model) => {
        const structure = project.structure.of(model)
        const subject = (detail?: string): Subject => ({
          kind: 'model',
          name: model.name,
          ...(detail !== undefined && { detail }),
        })
        if (structure.status === 'unread') return [{ subject: subject(), unchecked: structure.reason }]
        return check({ declared, raw, model, structure, subject })
      }),
  )
}

/** Returns the column of a model that a raw column becomes, unchanged or cast. */
export function outputOf(
  { structure }: Pick<StagedTable, 'structure'>,
  name: string,
): OutputColumn | undefined {
  const wanted = name.toLowerCase()
  return structure.columns.find(
    ({ kind, sources: [first, ...others] }) =>
      kind !== 'expression' &&
      others.length === 0 &&
      first?.relation.kind === 'source' &&
      first.column.toLowerCase() === wanted,
  )
}

/** Returns the entry of a model's column. */
export function columnEntry(project: LintProject, model: IndexedModel, name: string): Entry | undefined {
  return project
    .entryOf(model)
    ?.entries('columns')
    .find((column) => bare(column.name).toLowerCase() === name.toLowerCase())
}

/** Returns the names of the tests on a model's column. */
export function testNames(project: LintProject, model: IndexedModel, name: string): ReadonlySet<string> {
  const entry = columnEntry(project, model, name)
  return new Set(entry ? readTests(entry).map((test) => test.name) : [])
}

/**
 * Creates a fix that adds tests to a model's column; undefined for a model without an entry in YAML, or with
 * versions.
 */
export function addTests(
  project: LintProject,
  model: IndexedModel,
  { column, tests }: { readonly column: string; readonly tests: readonly YamlValue[] },
): Fix | undefined {
  const entry = project.entryOf(model)
  if (!entry || model.version !== undefined) return undefined
  const owner = { list: 'models', name: model.name } as const
  const known = columnEntry(project, model, column)
  const edit: YamlEdit = known
    ? { kind: 'add-tests', owner, column: known.name, tests }
    : { kind: 'add-column', owner, column: { name: column, data_tests: tests } }
  return {
    safety: 'safe',
    summary: 'add the test',
    edit: { kind: 'yaml', path: entry.place.path, edits: [edit] },
  }
}

/** Creates a test with arguments in the project's form: dbt 1.10.5 and later expect them below `arguments`. */
export function testWith(project: LintProject, name: string, given: YamlValue): YamlValue {
  const isFlat = project.properties.some(
    ({ file }) =>
      /^\s*(?:values|to|combination_of_columns):/m.test(file.text) && !/^\s*-?\s*arguments:/m.test(file.text),
  )
  return isFlat ? { [name]: given } : { [name]: { arguments: given } }
}

/** Returns the family of a type. */
export function familyOf({ dialect }: LintProject, type: string): ReturnType<typeof parseType> {
  return parseType(type, dialect)
}

/** A cast of one column of a known raw table. */
export interface RawCast {
  readonly cast: ColumnCast
  readonly model: IndexedModel
  /** The column of the model. */
  readonly column: string
  readonly output: OutputColumn
  /** The raw table: `shop.orders`. */
  readonly table: string
  /** The type in the warehouse; undefined for a missing column. */
  readonly from: string | undefined
  /** True if no other cast follows. */
  readonly isOnly: boolean
  readonly hit: (message: string, fix?: Fix) => Hit
}

/** Checks the casts of raw columns; those of unknown tables are reported as not checked. */
export function checkRawCasts(
  project: LintProject,
  check: (cast: RawCast) => readonly Hit[],
): readonly (Hit | Unchecked)[] {
  return checkStructures(project, ({ model, structure, subject: subjectAt }) =>
    structure.columns.flatMap((output): readonly (Hit | Unchecked)[] => {
      const {
        casts: [cast, ...more],
        name: column,
        place,
        sources: [read, ...others],
      } = output
      if (!cast || read?.relation.kind !== 'source' || others.length > 0) return []
      const { relation } = read
      const subject = subjectAt(column)
      const [raw, table] = [
        project.raw.tableOf(relation.source, relation.table),
        `${relation.source}.${relation.table}`,
      ]
      if (!raw) return [{ subject, unchecked: `the raw table ${table} is not known` }]
      const from = rawColumn(raw, read.column)?.type
      const hit = (message: string, fix?: Fix): Hit => ({ message, place, subject, ...(fix && { fix }) })
      return check({ cast, model, column, output, table, from, isOnly: more.length === 0, hit })
    }),
  )
}
