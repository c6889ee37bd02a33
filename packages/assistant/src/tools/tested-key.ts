import { isCode, scanSql } from '@stagecraft/dbt'
import type { Entry, LineageNode } from '@stagecraft/analysis'
import type { ProjectView } from '../project-view.ts'
import { entryOf, isSame } from '../resources.ts'
import { type DeclaredTest, testsOf } from '../tests.ts'

/** Constraints that the warehouse enforces or not, but that say that no value is missing. */
const NOT_NULL_CONSTRAINTS: ReadonlySet<unknown> = new Set(['not_null', 'primary_key'])

/** Tests that hold columns for a key by themselves. */
const KEY_TESTS = /(?:^|\.)(?:\w*unique_combination\w*|primary_key|expect_compound_columns_to_be_unique)$/

/**
 * Returns true if tests hold columns for a key: `unique` and `not_null` of one column or expression, or a test of a combination of
 * columns; undefined for a unique expression that may be null although its columns are not.
 */
export function hasTestedKey(view: ProjectView, node: LineageNode): boolean | undefined {
  const tests = testsOf(view, node)
  if (tests.some(({ name }) => KEY_TESTS.test(name))) return true
  const entry = entryOf(view, node)
  const isWhole = (column: string): boolean =>
    tests.some((test) => test.name === 'not_null' && isSame(test.column ?? '', column)) ||
    (entry?.entries('columns') ?? []).some(
      (each) =>
        isSame(each.name, column) && constraintsOf(each).some(({ type }) => NOT_NULL_CONSTRAINTS.has(type)),
    ) ||
    (entry ? constraintsOf(entry) : []).some(
      ({ columns, type }) =>
        NOT_NULL_CONSTRAINTS.has(type) && columns.some((each) => isSame(String(each), column)),
    )
  const found = new Set(
    tests
      .filter(({ name }) => name === 'unique')
      .map((test) =>
        test.column === undefined ? isWholeExpression(view, test, tests) : isWhole(test.column),
      ),
  )
  return found.has(true) || (found.has(undefined) ? undefined : false)

  function isWholeExpression(
    { project }: ProjectView,
    { expression = '' }: DeclaredTest,
    all: readonly DeclaredTest[],
  ): boolean | undefined {
    const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, '')
    if (all.some((test) => test.name === 'not_null' && plain(test.expression ?? '') === plain(expression)))
      return true
    // a coalesce that ends with a text or number is never null
    const rest = expression.replaceAll(/\bcoalesce\s*\(\s*[\w."`]+\s*,\s*(?:'[^']*'|\d+)\s*\)/gi, "''")
    const tokens = scanSql(rest, project.dialect).filter(isCode)
    const names = tokens.flatMap(({ kind, text }, at) => {
      const isCall = tokens[at + 1]?.text === '('
      const isType = tokens[at - 1]?.text === ':' || tokens[at - 1]?.text.toLowerCase() === 'as'
      if (kind === 'name') return [text.slice(1, -1)]
      return kind === 'word' && !isCall && !isType && !/^(?:as|\d+)$/i.test(text) ? [text] : []
    })
    if (!names.every(isWhole)) return false
    const calls = tokens.flatMap(({ kind, text }, at) =>
      kind === 'word' && tokens[at + 1]?.text === '(' ? [text.toLowerCase()] : [],
    )
    const isPlain = tokens.every(({ kind, text }) => kind !== 'mark' || /^[|(),:+.]$/.test(text))
    return isPlain && calls.every((call) => NEVER_NULL.has(call)) ? true : undefined
  }
}

/** Functions that give no null for arguments without nulls. */
const NEVER_NULL: ReadonlySet<string> = new Set(
  'concat concat_ws cast coalesce lower upper trim md5 sha1 sha2 sha256 to_hex hash varchar char string text'.split(
    ' ',
  ),
)

interface Constraint {
  readonly type: unknown
  readonly columns: readonly unknown[]
}

function constraintsOf(entry: Entry): readonly Constraint[] {
  const listed = entry.get('constraints')
  if (!Array.isArray(listed)) return []
  return listed.map((each: unknown) => {
    const columns: unknown = Reflect.get(Object(each), 'columns')
    return {
      type: Reflect.get(Object(each), 'type') as unknown,
      columns: Array.isArray(columns) ? (columns as readonly unknown[]) : [],
    }
  })
}
