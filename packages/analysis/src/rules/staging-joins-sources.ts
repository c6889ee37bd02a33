import { type IndexedModel, layerOf } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import { isWord, sqlTokens } from './sql-tokens.ts'
import { builtModels, list, nameOfSource, placeOfSource, subjectOf } from './subjects.ts'

/** A staging model reads one table, or a union of tables of one shape. */
export const stagingJoinsSources = {
  id: 'SC203',
  name: 'staging-joins-sources',
  group: 'staging',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'a staging model joins several source tables',
  docs: {
    why: 'No model offers one of the tables alone, and the grain of the model is not that of a raw table. A union of tables with the same columns is allowed.',
    example: {
      language: 'sql',
      code: "-- stg_shop__orders.sql\nselect o.*, c.country\nfrom {{ source('shop', 'orders') }} as o\nleft join {{ source('shop', 'customers') }} as c using (customer_id)",
    },
    remedy:
      'Stage each table in its own model and join those in an intermediate model, or make the parts base models.',
  },
  check: (project) =>
    builtModels(project)
      .filter((model) => layerOf(model) === 'staging' && model.reads.length > 1)
      .filter(({ path }) => /\bjoin\b/i.test(project.files.get(path)?.text ?? ''))
      .filter((model) => areJoined(project, model))
      .map((model) => {
        const [, second = { source: '', table: '', line: 1 }] = model.reads
        return {
          message: `staging model ${model.name} joins ${model.reads.length} source tables: ${list(model.reads.map(nameOfSource))}`,
          place: placeOfSource(project, model, second),
          subject: subjectOf(model),
        }
      }),
} satisfies Rule

/** Beside a union, the join may be with something else: a lookup of the whole. Then a source has to follow the join itself. */
function areJoined(project: LintProject, model: IndexedModel): boolean {
  const tokens = sqlTokens(project, model)
  const joined = tokens.filter((_, at) => isWord(tokens[at - 1], 'join'))
  const isUnion = tokens.some((token) => isWord(token, 'union'))
  return isUnion
    ? joined.some(({ kind, text }) => kind === 'jinja' && /^\{\{-?\s*source\b/.test(text))
    : joined.length > 0
}
