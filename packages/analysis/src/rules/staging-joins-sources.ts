import { layerOf, scanSql } from '@stagecraft/dbt'
import type { Rule } from '../rule.ts'
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
      .filter(({ path }) =>
        scanSql(project.files.get(path)?.text ?? '', project.dialect).some(
          ({ kind, text }) => kind === 'word' && text.toLowerCase() === 'join',
        ),
      )
      .map((model) => {
        const [, second = { source: '', table: '', line: 1 }] = model.reads
        return {
          message: `staging model ${model.name} joins ${model.reads.length} source tables: ${list(model.reads.map(nameOfSource))}`,
          place: placeOfSource(project, model, second),
          subject: subjectOf(model),
        }
      }),
} satisfies Rule
