import { DATE_PARTS, DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import fc from 'fast-check'
import * as sdk from '@polyglot-sql/sdk'
import { describe, expect, test } from 'vitest'
import { type ExpressionGate, loadExpressionGate } from './expression-gate.ts'

const NAMES = Object.keys(DIALECTS) as DialectName[]
const COLUMNS = ['A', 'B', 'a', 'b', 'Mixed Case', 'month']

/** Pieces that mean something to some grammar. */
const PIECES: readonly string[] = [
  ...String.raw`
    a b A month [a] ssn t.a hr.people.ssn * x 'x' '' ' " 'it''s' 1 1.5 -1 1e9 0x1 null true $1 ? :a @a @@v
    + - * / % || = <> < -> ->> :: : . , ; ( ) [ ] { } -- /* */ # {{ }} \
    and or not is in like between case when then else end as from select union distinct exists over filter
    where limit into interval date lower( coalesce( cast( count( getenv( sum( dateadd(day, date_trunc(
    text bigint regclass current_user current_date user
  `
    .trim()
    .split(/\s+/),
  '`',
  '"Mixed Case"',
  '`Mixed Case`',
  'at time zone',
  'order by',
  'extract(year from',
  'a in (',
  '\u200b',
]

const soup = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(' ', ' ', ' ', '', '\n')), { maxLength: 12 })
  .map((pairs) => pairs.flat().join(''))

/** Expressions that are mostly right, so that many are accepted. */
const { expression } = fc.letrec<{ expression: string; call: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'b', "'x'", '1', 'null', 'ssn', 'month', 'current_user', "'now'", 't.a', '*'),
    tie('call'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '*', '||', '=', 'and', 'like', 'is not'),
        tie('expression'),
      )
      .map((parts) => parts.join(' ')),
    tie('expression').map((inner) => `cast(${inner} as date)`),
    tie('expression').map((inner) => `case when ${inner} is null then 1 else 2 end`),
    tie('expression').map((inner) => `${inner} in (1, 'x')`),
  ),
  call: fc
    .tuple(
      fc.constantFrom('lower', 'coalesce', 'trim', 'abs', 'count', 'version', 'pg_sleep', 'max'),
      tie('expression'),
    )
    .map(([name, argument]) => `${name}(${argument})`),
}))

/** A right expression that a piece is put into, anywhere. */
const spoiled = fc
  .tuple(expression, fc.constantFrom(...PIECES), fc.nat(), fc.constantFrom(' ', ''))
  .map(([text, piece, at, blank]) => {
    const cut = at % (text.length + 1)
    return text.slice(0, cut) + blank + piece + blank + text.slice(cut)
  })

interface Findings {
  readonly columns: string[]
  readonly calls: string[]
  readonly kinds: string[]
}

/** Columns, calls and kinds of nodes as another parser sees them, which takes no part in most gates. */
function look(node: unknown, found: Findings): Findings {
  if (typeof node !== 'object' || node === null) return found
  for (const [kind, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue // a position in the text may be named `column`
    const { name } = value as { readonly name?: unknown }
    found.kinds.push(kind)
    if (kind === 'column') found.columns.push((name as { readonly name: string }).name)
    if (kind === 'function') found.calls.push(String(name))
    look(value, found)
  }
  return found
}

const FORBIDDEN =
  /^(?:select|subquery|exists|union|star|window_function|aggregate_function|count|sum|max|min|avg|parameter|placeholder|array|struct|lambda|dot|subscript|current_.*|session_user)$/

const GRAMMARS: Partial<Record<DialectName, string>> = { postgres: 'postgresql', sqlserver: 'tsql' }

type Parse = (
  sql: string,
  dialect: string,
) => { readonly ast: readonly { readonly select?: Record<string, unknown> }[] | null }

const parse = sdk.parse as unknown as Parse

/** Returns the forbidden parts of an accepted expression. */
function smuggled(text: string, name: DialectName): readonly string[] {
  const { ast: statements } = parse(`select ${text} as x from t`, GRAMMARS[name] ?? name)
  if (!statements) return [] // not read by the other parser: it has nothing to say
  const select = statements[0]?.select
  const items = (select?.['expressions'] ?? []) as readonly unknown[]
  const { calls, columns, kinds } = look(items, { columns: [], calls: [], kinds: [] })
  const known = new Set([...COLUMNS.map((column) => column.toLowerCase()), ...DATE_PARTS])
  const functions = new Set(
    Object.values(DIALECTS[name].functions.results).flatMap((list) => list.toLowerCase().split(/\s+/)),
  )
  return [
    ...(statements.length === 1 && items.length === 1 ? [] : ['statements or items']),
    ...columns.filter((column) => !known.has(column.toLowerCase())),
    ...calls.filter((call) => !functions.has(call.toLowerCase())),
    ...kinds.filter((kind) => FORBIDDEN.test(kind)),
    ...['where_clause', 'group_by', 'order_by', 'limit', 'with', 'into'].filter((clause) =>
      Boolean(select?.[clause]),
    ),
  ]
}

await sdk.init()
const gates = new Map<DialectName, ExpressionGate>()
for (const name of NAMES) gates.set(name, await loadExpressionGate(DIALECTS[name]))

describe.each(NAMES)('%s', (name) => {
  const gate = gates.get(name)

  function expectClean(text: string): boolean {
    if (
      typeof gate?.(
        text,
        COLUMNS.map((column) => ({ name: column, family: 'string' })),
      ) === 'string'
    )
      return false
    expect(smuggled(text, name), text).toEqual([])
    return true
  }

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => void expectClean(text)))
  })

  test('refuses random sequences of tokens', () => {
    fc.assert(
      fc.property(soup, (text) => void expectClean(text)),
      { numRuns: 1000 },
    )
  })

  test('refuses expressions that are nearly right', () => {
    let accepted = 0
    const note = (text: string): void => {
      if (expectClean(text)) accepted += 1
    }
    fc.assert(fc.property(expression, note), { numRuns: 300 })
    fc.assert(fc.property(spoiled, note), { numRuns: 500 })
    expect(accepted).toBeGreaterThan(20)
  })
})
