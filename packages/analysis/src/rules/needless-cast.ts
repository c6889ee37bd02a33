import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import type { OutputColumn } from '../structure/sql-structure.ts'
import type { Fix } from '../vocabulary.ts'
import { checkRawCasts, familyOf } from './raw-columns.ts'
import { castOf, selectItemOf } from './select-item.ts'

/** A cast may be there to say the type aloud; so it is off. */
export const needlessCast = {
  id: 'SC206',
  name: 'needless-cast',
  group: 'staging',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'a raw column is cast to the type that it has',
  docs: {
    why: 'Readers look for the reason of a cast, and there is none; it also hides that the type changes one day.',
    example: {
      language: 'sql',
      code: "select cast(id as integer) as order_id -- integer\nfrom {{ source('shop', 'orders') }}",
    },
    remedy: 'Select the column as it is.',
  },
  fix: {
    safety: 'safe',
    summary:
      'selects the column as it is; unsafe without --catalog, since its type may have changed after stagecraft.lock was written',
  },
  check: (project) =>
    checkRawCasts(project, ({ cast, column, from, hit, isOnly, model, output, table }) => {
      if (!isOnly) return []
      const [old, next] = [familyOf(project, from ?? ''), familyOf(project, cast.type)]
      const isSame =
        old.known && spell(old.base) === spell(next.base) && String(old.arguments) === String(next.arguments)
      if (!isSame) return []
      const message = `${column} is cast to ${cast.type}, which it is in ${table}`
      return [hit(message, withoutCast(project, model, output))]
    }),
} satisfies Rule

/** Names of one type: the parser prints one of them, and the warehouse may have another. */
const SPELLINGS: readonly (readonly string[])[] = [
  ['int', 'integer', 'int4'],
  ['bigint', 'int8'],
  ['smallint', 'int2'],
  ['boolean', 'bool'],
  ['varchar', 'character varying'],
]

function spell(base: string): string {
  return SPELLINGS.find((names) => names.includes(base.toLowerCase()))?.[0] ?? base
}

/** Puts the column in the place of its cast; undefined where it would lose its name, or is written in another way. */
function withoutCast(project: LintProject, model: IndexedModel, column: OutputColumn): Fix | undefined {
  const item = selectItemOf(project, model, column)
  const cast = item?.isNamed === true ? castOf(item) : undefined
  const text = project.files.get(model.path)?.text
  if (!cast || text === undefined) return undefined
  const inner = text.slice(cast.column.start, cast.column.end)
  return {
    safety: project.has.has('catalog') ? 'safe' : 'unsafe',
    summary: 'select the column as it is',
    edit: { kind: 'text', edits: [{ path: model.path, ...cast.whole, text: inner }] },
  }
}
