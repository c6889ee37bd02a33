import type { Cursor } from '../../sql/cursor.ts'
import { isSymbol, isWord, type Token } from '../../sql/tokens.ts'
import { readType } from '../column-type.ts'
import { takeName, unreadable } from '../names.ts'
import type { Script } from '../script.ts'
import { ddlRulesOf } from '../ddl-rules-of.ts'
import { storedSpelling } from '../stored-spelling.ts'
import type { SelectItem } from './definitions.ts'

/** Words that do not end an expression which a name may follow, and those that are no name at its end. */
const NO_ALIAS_BEHIND =
  `AND AS AT BETWEEN BY CASE COLLATE DISTINCT DIV ELSE ESCAPE FROM ILIKE IN INTERVAL IS LIKE MOD NOT OR OVER REGEXP
  RLIKE SIMILAR THEN TIME TO WHEN WITH WITHOUT XOR`
    .trim()
    .split(/\s+/)
const NO_ALIAS =
  `ASC CURRENT_DATE CURRENT_TIMESTAMP DAY DESC END FALSE HOUR MINUTE MONTH NULL PRECISION SECOND TRUE UNKNOWN VARYING WEEK
  YEAR ZONE`
    .trim()
    .split(/\s+/)

/** Reads one entry of a select list. */
export function readItem(cursor: Cursor, script: Script): SelectItem {
  const tokens = cursor.rest()
  const [first] = tokens
  if (!first) throw unreadable(undefined, 'a column in the select list')
  const star = readStar(cursor.copy(), script)
  if (star) return star
  const { expression, name } = splitAlias(tokens, script)
  const path = readPath(expression, script)
  const cast = readCast(cursor, expression, script)
  return {
    kind: 'expression',
    name: name ?? path?.at(-1) ?? cast?.name,
    path,
    type: cast?.type,
    offset: first.start,
  }
}

function readStar(cursor: Cursor, script: Script): SelectItem | undefined {
  let of: string | undefined
  while (cursor.atSymbol('.', 1)) {
    of = takeName(cursor, script)
    cursor.next()
  }
  if (!cursor.skipSymbol('*')) return undefined
  const except: string[] = []
  while (!cursor.done) {
    if (cursor.skip('EXCEPT') || cursor.skip('EXCLUDE')) {
      const group = cursor.takeGroup()
      except.push(...(group?.splitByComma() ?? [cursor]).flatMap((part) => takeName(part, script) ?? []))
    } else if (!cursor.skip('REPLACE') || !cursor.takeGroup()) return undefined // a product
  }
  return { kind: 'star', of, except }
}

interface Aliased {
  readonly expression: readonly Token[]
  readonly name: string | undefined
}

function splitAlias(tokens: readonly Token[], script: Script): Aliased {
  const [first, second] = tokens
  const last = tokens.at(-1)
  const before = tokens.at(-2)
  const isAssigned =
    ddlRulesOf(script.dialect).assignsAliases && isSymbol(second, '=') && first?.kind !== 'number'
  if (isAssigned && first) return { expression: tokens.slice(2), name: storedSpelling(first, script) }
  if (!last || !before) return { expression: tokens, name: undefined }
  const isName = last.kind === 'name' || last.kind === 'word' || (last.kind === 'text' && tokens.length > 1)
  if (isName && isWord(before, 'AS'))
    return { expression: tokens.slice(0, -2), name: storedSpelling(last, script) }
  const isAlias =
    (last.kind === 'name' || (last.kind === 'word' && !isWord(last, ...NO_ALIAS))) &&
    endsExpression(before, tokens)
  if (!isAlias) return { expression: tokens, name: undefined }
  return { expression: tokens.slice(0, -1), name: storedSpelling(last, script) }
}

/** Tells whether an expression may end with a token, so that a name behind it is an alias. */
function endsExpression(token: Token, tokens: readonly Token[]): boolean {
  if (token.kind === 'symbol') return [')', ']', '}'].includes(token.text)
  if (token.kind === 'word') return !isWord(token, ...NO_ALIAS_BEHIND)
  return token.kind !== 'text' || !isWord(tokens.at(-3), 'INTERVAL')
}

/** `a`, `t.a`, `s.t.a`. */
function readPath(tokens: readonly Token[], script: Script): readonly string[] | undefined {
  const isPath =
    tokens.length % 2 === 1 &&
    tokens.every((token, index) =>
      index % 2 === 1
        ? isSymbol(token, '.')
        : token.kind === 'name' || (token.kind === 'word' && !isWord(token, ...NO_ALIAS)),
    )
  return isPath
    ? tokens.filter((_, index) => index % 2 === 0).map((token) => storedSpelling(token, script))
    : undefined
}

interface Cast {
  readonly type: string | undefined
  /** PostgreSQL calls `a::date` by the name of `a`. */
  readonly name: string | undefined
}

/** The type that the whole expression is cast to: `cast(a as date)`, `a::date`. */
function readCast(cursor: Cursor, expression: readonly Token[], script: Script): Cast | undefined {
  const whole = cursor.first(expression.length)
  const call = whole.copy()
  if (call.skip('CAST') || call.skip('TRY_CAST') || call.skip('SAFE_CAST')) {
    const group = call.takeGroup()
    const isWhole = call.done && group?.skipTo('AS')
    if (!group || !isWhole) return undefined
    while (group.skipTo('AS') && group.skip('AS') && group.copy().skipTo('AS')) continue
    return { type: readType(group, script, () => false)?.text, name: undefined }
  }
  const at = expression.findLastIndex((token) => isSymbol(token, '::'))
  if (at < 0) return undefined
  const type = whole.copy()
  for (let skipped = 0; skipped <= at; skipped++) type.next()
  const read = readType(type, script, () => false)
  return type.done && read
    ? { type: read.text, name: readPath(expression.slice(0, at), script)?.at(-1) }
    : undefined
}
