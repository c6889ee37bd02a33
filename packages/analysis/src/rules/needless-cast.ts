import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import type { OutputColumn } from '../structure/sql-structure.ts'
import type { Fix } from '../vocabulary.ts'
import { checkRawCasts, familyOf } from './raw-columns.ts'
import { castOf, selectItemOf } from './select-item.ts'

/** Off by default: a cast may document the type. */
export const needlessCast = {
  id: 'SC206',
  name: 'needless-cast',
  group: 'staging',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'a raw column is cast to its own type',
  docs: {
    why: 'The cast does nothing, so readers look for a reason that does not exist. It also hides later changes of the type.',
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
      const message = `${column} is cast to ${cast.type}, its type in ${table}`
      return [hit(message, withoutCast(project, model, output))]
    }),
} satisfies Rule

/** Synonyms of types: the parser prints one name, and the warehouse may have another. */
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

/** Replaces a cast by its column; undefined if the column would lose its name, or for another syntax. */
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
