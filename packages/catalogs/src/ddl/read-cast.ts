import { type Cursor, type Token, isSymbol, isWord } from '../sql/cursor.ts'
import { storedSpelling } from './names.ts'
import { readType } from './read-type.ts'
import { type Script, ddlRulesOf } from './script.ts'

/** Words that end an expression, so they are not an alias: `CASE … END`, `INTERVAL '1' DAY`. */
export const PART_OF_EXPRESSION =
  `ASC CURRENT_DATE CURRENT_TIMESTAMP DAY DESC END FALSE HOUR MINUTE MONTH NULL PRECISION SECOND TRUE UNKNOWN VARYING WEEK
  YEAR ZONE`
    .trim()
    .split(/\s+/)

/** Reads a dotted name: `a`, `t.a`, `s.t.a`. */
export function readPath(tokens: readonly Token[], script: Script): readonly string[] | undefined {
  const isPath =
    tokens.length % 2 === 1 &&
    tokens.every((token, index) =>
      index % 2 === 1
        ? isSymbol(token, '.')
        : token.kind === 'name' || (token.kind === 'word' && !isWord(token, ...PART_OF_EXPRESSION)),
    )
  return isPath
    ? tokens.filter((_, index) => index % 2 === 0).map((token) => storedSpelling(token, script))
    : undefined
}

/** The type of an expression that is a cast. */
export interface Cast {
  readonly type: string | undefined
  /** The name of `a` for `a::date`, as in PostgreSQL. */
  readonly name?: string | undefined
}

const CASTS = ['CAST', 'TRY_CAST', 'SAFE_CAST']
const CONVERSIONS = ['CONVERT', 'TRY_CONVERT']

/**
 * Returns the type that the whole expression is cast to: `cast(a as date)`, `a::date`, SQL Server's `convert(date,
 * a)`. Brackets around it have no effect.
 */
export function readCast(expression: Cursor, script: Script): Cast | undefined {
  const inner = expression.copy()
  const group = inner.takeGroup()
  if (group && inner.done) return readCast(group, script)
  return readCastCall(expression, script) ?? readCastSuffix(expression, script)
}

function readCastCall(expression: Cursor, script: Script): Cast | undefined {
  const call = expression.copy()
  const isCast = isWord(call.peek(), ...CASTS)
  const isConversion = ddlRulesOf(script.dialect).castsByConvert && isWord(call.peek(), ...CONVERSIONS)
  if (!isCast && !isConversion) return undefined
  call.next()
  const group = call.takeGroup()
  if (!group || !call.done) return undefined
  if (isConversion) return { type: readType(group, script, () => false)?.text }
  if (!group.skipTo('AS')) return undefined
  while (group.skipTo('AS') && group.skip('AS') && group.copy().skipTo('AS')) continue
  const type = readType(group, script, () => false)?.text
  return { type: ddlRulesOf(script.dialect).castTypes?.[type?.toLowerCase() ?? ''] ?? type }
}

function readCastSuffix(expression: Cursor, script: Script): Cast | undefined {
  const tokens = expression.rest()
  const at = tokens.findLastIndex((token) => isSymbol(token, '::'))
  if (at < 0) return undefined
  const type = expression.copy()
  for (let skipped = 0; skipped <= at; skipped++) type.next()
  const read = readType(type, script, () => false)
  return type.done && read
    ? { type: read.text, name: readPath(tokens.slice(0, at), script)?.at(-1) }
    : undefined
}
