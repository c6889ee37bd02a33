import { DIALECTS } from '@stagecraft/dialects'
import { DIALECT_NAMES, type DialectName } from '@stagecraft/spec'

/** The dialect that a script's own syntax tells, and the sign that told it. */
export interface DetectedDialect {
  readonly dialect: DialectName
  readonly sign: string
}

/** The number of characters that are examined in each file: the tables of a dump come before its data. */
const LOOKED_AT = 400_000

const SIGNS = DIALECT_NAMES.flatMap((dialect) =>
  DIALECTS[dialect].ddl.signs.map((sign) => ({ ...sign, dialect })),
)

const TEXTS_AND_COMMENTS = /'(?:[^'\\]|''|\\.)*'|--[^\n]*|\/\*[^]*?\*\//g

/** Returns the dialect that scripts tell by their syntax; undefined when they tell none, or several equally well. */
export function detectDialect(texts: readonly string[]): DetectedDialect | undefined {
  const scores = new Map<DialectName, { score: number; weight: number; sign: string }>()
  const whole = texts
    .map((text) => text.slice(0, LOOKED_AT))
    .join('\n')
    .slice(0, 4 * LOOKED_AT)
  const code = whole.replace(TEXTS_AND_COMMENTS, ' ')
  for (const { dialect, isInComments, pattern, sign, weight } of SIGNS) {
    if (!pattern.test(isInComments ? whole : code)) continue
    const before = scores.get(dialect)
    const strongest = before && before.weight >= weight ? before : { sign, weight }
    scores.set(dialect, { ...strongest, score: (before?.score ?? 0) + weight })
  }
  const [first, second] = [...scores].toSorted(([, a], [, b]) => b.score - a.score)
  if (!first || first[1].score < 2 || first[1].score === second?.[1].score) return undefined
  return { dialect: first[0], sign: first[1].sign }
}

/** Tells whether statements of one dialect are read in the other as well. */
export function areKin(a: DialectName, b: DialectName): boolean {
  return a === b || DIALECTS[a].ddl.kin.includes(b) || DIALECTS[b].ddl.kin.includes(a)
}
