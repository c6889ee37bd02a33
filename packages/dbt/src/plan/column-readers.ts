import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import { compareName } from '../merge/output-name.ts'
import { isCode, scanSql, type SqlSyntax } from '../merge/scan-sql.ts'
import { referencesIn } from '../project/properties-reads.ts'
import type { PlanInput } from './plan-input.ts'
import type { DeclaredModel, ReadingPlace } from './project-view.ts'
import { namesIn } from './warn-of-columns.ts'

/** A column of a model. */
interface ModelColumn {
  readonly model: string
  readonly column: string
}

/** The texts of a project after a plan. */
interface TextsAfter {
  readonly after: (path: string) => Promise<string>
}

type Project = Pick<PlanInput, 'project' | 'syntax'>

/**
 * Returns the places that read a column of a model: other models, tests, analyses, macros, and properties that name it. A
 * text that also reads another model with such a column does not count.
 */
export async function placesReading(
  read: ModelColumn,
  texts: TextsAfter,
  { project, syntax }: Project,
): Promise<readonly ReadingPlace[]> {
  const { models, readers = [] } = project
  const reading = [...models, ...readers].filter((one) =>
    one.models?.some(({ model }) => model === read.model),
  )
  const paths = Map.groupBy(reading, ({ path }) => path)
  const places = await Promise.all(
    [...paths].map(async ([path, own]) => {
      const text = await texts.after(path)
      const isYaml = /\.ya?ml$/.test(path)
      const lines = isYaml ? linesInYaml(read, text) : linesOf(read.column, text, syntax)
      const isOthers =
        !isYaml &&
        lines.length > 0 &&
        (await hasElsewhere(
          own.flatMap((one) => one.models ?? []),
          read,
          { project, syntax, texts },
        ))
      return isOthers ? [] : lines.map((line) => ({ path, line }))
    }),
  )
  return places.flat()
}

/** Returns true if one of several models, apart from the read one, has a column of this name. */
async function hasElsewhere(
  models: NonNullable<DeclaredModel['models']>,
  read: ModelColumn,
  { project, syntax, texts }: Project & { readonly texts: TextsAfter },
): Promise<boolean> {
  const names = new Set(models.map(({ model }) => model).filter((model) => model !== read.model))
  const others = project.models.filter((one) => names.has(one.name) && one.path.endsWith('.sql'))
  const columns = await Promise.all(others.map(async ({ path }) => namesIn(await texts.after(path), syntax)))
  return columns.some((one) => one?.has(read.column))
}

/** Returns the lines on which a text has the name of a column, except as an alias. */
export function linesOf(column: string, text: string, syntax: SqlSyntax): readonly number[] {
  const code = scanSql(text, syntax).filter(isCode)
  const lines = code.flatMap((token, at) => {
    const isName = token.kind === 'word' || token.kind === 'name'
    const isIt = isName && compareName(token, syntax).toLowerCase() === column.toLowerCase()
    return isIt && code[at - 1]?.text.toLowerCase() !== 'as'
      ? text.slice(0, token.start).split('\n').length
      : []
  })
  return [...new Set(lines)]
}

/** Returns the lines on which properties name a column: the field of a reference, and rows of a unit test's input. */
function linesInYaml({ column, model }: ModelColumn, text: string): readonly number[] {
  const lines = new LineCounter()
  const found: Node[] = []
  visit(parseDocument(text, { lineCounter: lines }), {
    Map: (_, map) => {
      if (isRefTo(map.get('to', true), model)) found.push(...scalarsOf(map.get('field', true)))
      if (isRefTo(map.get('input', true), model)) found.push(...keysOfRows(map.get('rows', true)))
    },
  })
  const named = found.filter(
    (node) => isScalar(node) && String(node.value).toLowerCase() === column.toLowerCase(),
  )
  return [...new Set(named.map((node) => lines.linePos(node.range?.[0] ?? 0).line))]
}

function isRefTo(node: unknown, model: string): boolean {
  if (!isScalar(node) || typeof node.value !== 'string') return false
  return referencesIn(node.value).some(
    ({ call, first, second }) => call === 'ref' && (second ?? first) === model,
  )
}

const scalarsOf = (node: unknown): readonly Node[] => (isScalar(node) ? [node] : [])

function keysOfRows(rows: unknown): readonly Node[] {
  const maps = isSeq(rows) ? rows.items.filter((row): row is YAMLMap => isMap(row)) : []
  return maps.flatMap(({ items }) => items.flatMap(({ key }) => (isNode(key) ? [key] : [])))
}
