import type { Generation } from '@stagecraft/spec'
import { Dialect, getColumns, init, parse as parseSql } from '@polyglot-sql/sdk'
import { parse } from 'yaml'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'

/** A generated model as its files tell it. */
export interface ReadModel {
  readonly name: string
  readonly description: DescriptionOrigin
  readonly columns: readonly ReadColumn[]
  /** On the model as a whole. */
  readonly tests: readonly ReadTest[]
}

export interface ReadColumn {
  readonly name: string
  /** The columns of the source that its expression reads, in lower case. */
  readonly reads: readonly string[]
  readonly description: DescriptionOrigin
  readonly tests: readonly ReadTest[]
}

export interface ReadTest {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly evidence: string | undefined
}

export type DescriptionOrigin = 'model' | 'rules' | 'none'

interface Entry {
  readonly name: string
  readonly description?: string
  readonly config?: Marked
  readonly meta?: Mark
  readonly data_tests?: readonly (string | Readonly<Record<string, TestBody>>)[]
  readonly columns?: readonly Entry[]
}

interface Mark {
  readonly stagecraft?: { readonly description?: string; readonly evidence?: string }
}

interface Marked {
  readonly meta?: Mark
}

interface TestBody {
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly config?: Marked
}

/**
 * Reads names, descriptions and tests from the YAML, and from the SQL what each column is made of. The model is to be
 * made with `testReasons` and, because the parser hides a column behind a comment, without groups of columns.
 */
export async function readModel({ code, schema }: Generation): Promise<ReadModel> {
  const [entry] = (parse(schema) as { readonly models: readonly Entry[] }).models
  const reads = await readSelect(code)
  return {
    name: entry?.name ?? '',
    description: originOf(entry),
    tests: testsOf(entry),
    columns: (entry?.columns ?? []).map((column) => ({
      name: column.name,
      reads: reads.get(column.name) ?? [],
      description: originOf(column),
      tests: testsOf(column),
    })),
  }
}

function originOf(entry: Entry | undefined): DescriptionOrigin {
  if (entry?.description === undefined) return 'none'
  const mark = entry.config?.meta ?? entry.meta
  return mark?.stagecraft?.description === 'llm' ? 'model' : 'rules'
}

function testsOf(entry: Entry | undefined): readonly ReadTest[] {
  return (entry?.data_tests ?? []).flatMap((test) => {
    if (typeof test === 'string') return [{ name: test, arguments: {}, evidence: undefined }]
    return Object.entries(test).map(([name, { config, ...body }]) => ({
      name,
      arguments: body.arguments ?? body,
      evidence: config?.meta?.stagecraft?.evidence,
    }))
  })
}

type Expression = Parameters<typeof getColumns>[0]

/** The part of a syntax tree that a staging model has. */
interface SelectNode {
  readonly select?: {
    readonly expressions: readonly Expression[]
    readonly with?: { readonly ctes: readonly { readonly alias: Identifier; readonly this: SelectNode }[] }
  }
}

interface Identifier {
  readonly name: string
}

interface ItemNode {
  readonly alias?: { readonly alias: Identifier }
  readonly column?: { readonly name: Identifier }
}

/** What each column of the list in `renamed` reads, by its staged name. */
async function readSelect(code: string): Promise<ReadonlyMap<string, readonly string[]>> {
  await init()
  const { ast, error } = parseSql(renderJinja(code), Dialect.DuckDB)
  if (!ast) throw new Error(`the SQL of a model cannot be parsed: ${error ?? 'no reason given'}`)
  const [statement] = ast as readonly SelectNode[]
  const renamed = statement?.select?.with?.ctes.find(({ alias }) => alias.name === 'renamed')
  const items = renamed?.this.select?.expressions ?? []
  return new Map(items.map((item) => [nameOf(item as ItemNode), columnsIn(item)]))
}

function nameOf({ alias, column }: ItemNode): string {
  return alias?.alias.name ?? column?.name.name ?? ''
}

function columnsIn(item: Expression): readonly string[] {
  const nodes = getColumns(item) as readonly ItemNode[]
  const names = nodes.flatMap(({ column }) => column?.name.name.toLowerCase() ?? [])
  return [...new Set(names)]
}
