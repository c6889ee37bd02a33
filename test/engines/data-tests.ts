import { DIALECTS } from '@stagecraft/core'
import type { DialectName } from '@stagecraft/spec'
import { parse } from 'yaml'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'

/** A data test of a model's YAML. */
export interface DataTest {
  /** `unique`, `dbt_utils.unique_combination_of_columns`. */
  readonly kind: string
  /** As SQL refers to it; undefined for a test of the model as a whole. */
  readonly column: string | undefined
  readonly arguments: Readonly<Record<string, unknown>>
  readonly severity: 'error' | 'warn'
}

type PrintedTest =
  | string
  | Readonly<Record<string, { arguments?: Record<string, unknown>; config?: { severity?: 'warn' } }>>

interface PrintedModel {
  readonly data_tests?: readonly PrintedTest[]
  readonly columns?: readonly {
    readonly name: string
    readonly quote?: boolean
    readonly data_tests?: readonly PrintedTest[]
  }[]
}

/** Reads the data tests of a properties file with one model. */
export function readDataTests(yaml: string, dialect: DialectName): readonly DataTest[] {
  const { models } = parse(yaml) as { readonly models: readonly PrintedModel[] }
  return models.flatMap(({ columns = [], data_tests = [] }) => [
    ...data_tests.map((test) => readTest(test, undefined)),
    ...columns.flatMap(({ name, quote, data_tests: own = [] }) => {
      const [open, close] = DIALECTS[dialect].identifiers.quotes
      const stored = renderJinja(name)
      return own.map((test) => readTest(test, quote ? open + stored + close : stored))
    }),
  ])
}

function readTest(test: PrintedTest, column: string | undefined): DataTest {
  if (typeof test === 'string') return { kind: test, column, arguments: {}, severity: 'error' }
  const [[kind, body] = ['', {}]] = Object.entries(test)
  return { kind, column, arguments: body.arguments ?? {}, severity: body.config?.severity ?? 'error' }
}

type Find = (model: string) => string

/**
 * The query that dbt sends for a test, with the macros of dbt-core 1.11, dbt_utils 1.3 and dbt-clickhouse: it counts
 * rows that fail.
 *
 * @param find The relation of a model.
 */
export function compileTest(test: DataTest, model: string, find: Find, dialect: DialectName): string {
  const compileKind = KINDS[test.kind]
  if (!compileKind) throw new Error(`how dbt compiles ${test.kind} is not known here`)
  const column = test.column ?? textOf(test.arguments['column_name'])
  const [open, close] = DIALECTS[dialect].identifiers.quotes
  const query = compileKind(
    { ...test, column },
    { relation: find(model), find, quote: (name) => open + name + close },
  )
  const settings =
    dialect === 'clickhouse' && test.kind === 'relationships' ? ' settings join_use_nulls = 1' : ''
  return `select count(*) from (${query}${settings}) dbt_internal_test`
}

interface Warehouse {
  readonly relation: string
  readonly find: Find
  readonly quote: (name: string) => string
}

type CompileKind = (test: DataTest & { readonly column: string }, warehouse: Warehouse) => string

const KINDS: Readonly<Record<string, CompileKind>> = {
  unique: ({ column }, { relation }) =>
    `select ${column} as unique_field, count(*) as n_records from ${relation}
     where ${column} is not null group by ${column} having count(*) > 1`,
  not_null: ({ column }, { relation }) => `select ${column} from ${relation} where ${column} is null`,
  accepted_values: ({ arguments: { quote = true, values }, column }, { relation }) => {
    const list = (values as readonly unknown[]).map((value) =>
      quote === true ? `'${renderJinja(textOf(value))}'` : textOf(value),
    )
    return `with all_values as (
      select ${column} as value_field, count(*) as n_records from ${relation} group by ${column}
    )
    select * from all_values where value_field not in (${list.join(', ')})`
  },
  relationships: ({ arguments: { field, to }, column }, { find, relation }) => {
    const [, parent = ''] = /^ref\('(.*)'\)$/.exec(textOf(to)) ?? []
    return `with child as (select ${column} as from_field from ${relation} where ${column} is not null),
    parent as (select ${textOf(field)} as to_field from ${find(parent)})
    select from_field from child left join parent on child.from_field = parent.to_field
    where parent.to_field is null`
  },
  'dbt_utils.unique_combination_of_columns': ({ arguments: given }, { quote, relation }) => {
    const names = given['combination_of_columns'] as readonly string[]
    const columns = (given['quote_columns'] === true ? names.map(quote) : names).join(', ')
    return `with validation_errors as (select ${columns} from ${relation} group by ${columns} having count(*) > 1)
    select * from validation_errors`
  },
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}
