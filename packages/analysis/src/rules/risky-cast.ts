import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import type { OutputColumn } from '../structure/sql-structure.ts'
import type { Fix } from '../vocabulary.ts'
import { checkRawCasts, familyOf } from './raw-columns.ts'
import { castOf, selectItemOf } from './select-item.ts'

/** Off by default: often the rows are clean. */
export const riskyCast = {
  id: 'SC205',
  name: 'risky-cast',
  group: 'staging',
  severity: 'warning',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'a cast of a raw column can fail or lose part of the value',
  docs: {
    why: 'One unexpected text stops the build. A timestamp cast to a date, or a decimal cast to fewer digits, is truncated silently.',
    example: {
      language: 'sql',
      code: "select cast(amount as decimal(10, 2)) as amount -- varchar\nfrom {{ source('shop', 'orders') }}",
    },
    remedy:
      'Use a cast that returns null (`try_cast`, `safe_cast`) and test for nulls. Round or truncate with an explicit function.',
  },
  fix: {
    safety: 'unsafe',
    summary:
      'replaces a cast that can fail by one that returns null, if the warehouse has one; only a person can decide how to round a value',
  },
  check: (project) =>
    checkRawCasts(project, ({ cast, column, from, hit, model, output }) => {
      const risk = from && riskOf(project, { from, to: cast.type, isSafe: cast.isSafe })
      if (!risk) return []
      const fix = risk === FAILS ? withNullInstead(project, model, output) : undefined
      return [hit(`${column} is cast from ${from} to ${cast.type}, which ${risk}`, fix)]
    }),
} satisfies Rule

const FAILS = 'fails at the first text in another format'

/** Replaces a cast that fails by one that gives null; undefined if the warehouse has none. */
function withNullInstead(project: LintProject, model: IndexedModel, column: OutputColumn): Fix | undefined {
  const safe = project.dialect.functions.casts.find((name) => name !== 'cast')
  const item = selectItemOf(project, model, column)
  const cast = item && castOf(item)
  const text = project.files.get(model.path)?.text
  if (safe === undefined || !item?.isNamed || !cast || text === undefined) return undefined
  const { column: inner, type, whole, word } = cast
  const textOf = ({ end, start }: typeof whole): string => text.slice(start, end)
  const edit = word
    ? { ...word, text: textOf(word) === 'CAST' ? safe.toUpperCase() : safe }
    : { ...whole, text: `${safe}(${textOf(inner)} as ${textOf(type)})` }
  return {
    safety: 'unsafe',
    summary: `write ${safe}`,
    edit: { kind: 'text', edits: [{ path: model.path, ...edit }] },
  }
}

interface Cast {
  readonly from: string
  readonly to: string
  readonly isSafe: boolean
}

function riskOf(project: LintProject, { from, isSafe, to }: Cast): string | undefined {
  const [old, next] = [familyOf(project, from), familyOf(project, to)]
  if (!old.known || !next.known) return undefined
  const isTime = (family: string): boolean => family.startsWith('timestamp')
  if (old.family === 'string' && next.family !== 'string' && next.family !== 'json' && !isSafe) return FAILS
  if (isTime(old.family) && next.family === 'date') return 'drops the time of day'
  if (old.family === 'timestamp_tz' && next.family === 'timestamp_ntz') return 'drops the time zone'
  if ((old.family === 'decimal' || old.family === 'float') && next.family === 'integer')
    return 'drops the digits after the decimal point'
  const [scale, wanted] = [old.arguments[1], next.arguments[1]]
  const isCut =
    old.family === 'decimal' &&
    next.family === 'decimal' &&
    scale !== undefined &&
    wanted !== undefined &&
    wanted < scale
  return isCut ? 'drops digits after the decimal point' : undefined
}
