import { type IndexedModel, layerOf } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import { isWord, sqlTokens } from './sql-tokens.ts'
import { builtModels, nameOfSource, placeOfSource, subjectOf } from './subjects.ts'

/** Two staging models of one raw table may contradict each other. */
export const stagingTwice = {
  id: 'SC202',
  name: 'source-staged-twice',
  group: 'staging',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'two staging models read the same source table and nothing else',
  docs: {
    why: 'Columns are renamed and cast in two places, which diverge over time, and it is unclear which model to build on. A model of array elements, of groups, or of other rows of the table is not a second copy.',
    example: {
      language: 'sql',
      code: "-- stg_shop__orders.sql and stg_shop__orders_new.sql\nselect * from {{ source('shop', 'orders') }}",
    },
    remedy: 'Keep one staging model per source table, and filter or enrich it in intermediate models.',
  },
  check: (project) => {
    const staged = Map.groupBy(modelsOfOneSource(project), ({ reads: [read] }) =>
      read ? nameOfSource(read) : '',
    )
    return [...staged].flatMap(([table, all]) => {
      const models = all.length > 1 ? all.filter((model) => !hasOtherGrain(project, model)) : []
      return models.flatMap((model, at) => {
        const first = models
          .slice(0, at)
          .find((one) => one.name !== model.name && !haveOtherRows(project, one, model))
        if (!first) return []
        return [
          {
            message: `staging model ${model.name} reads ${table}, which ${first.name} already stages`,
            place: placeOf(project, model),
            subject: subjectOf(model, table),
          },
        ]
      })
    })
  },
} satisfies Rule

function modelsOfOneSource(project: LintProject): readonly IndexedModel[] {
  return builtModels(project).filter(
    (model) =>
      layerOf(model) === 'staging' &&
      model.reads.length === 1 &&
      model.models.length === 0 &&
      !model.isDynamic,
  )
}

/** Words of queries whose rows are not those of the table: elements of arrays, groups. */
const OTHER_GRAIN = [
  'unnest',
  'flatten',
  'explode',
  'explode_outer',
  'posexplode',
  'posexplode_outer',
  'inline',
  'openjson',
  'json_table',
  'json_each',
  'json_array_elements',
  'json_array_elements_text',
  'jsonb_array_elements',
  'jsonb_array_elements_text',
  'jsonb_each',
  'split_to_table',
  'arrayjoin',
  'group',
  'unpivot',
  'pivot',
]

function hasOtherGrain(project: LintProject, model: IndexedModel): boolean {
  return sqlTokens(project, model).some((token) => isWord(token, ...OTHER_GRAIN))
}

/** Returns true if each model keeps other values of a column: `where type = 'a'` and `where type = 'b'`. */
function haveOtherRows(project: LintProject, a: IndexedModel, b: IndexedModel): boolean {
  const [left, right] = [keptValues(project, a), keptValues(project, b)]
  return [...left].some(([column, values]) => {
    const others = right.get(column)
    return others !== undefined && values.every((value) => !others.includes(value))
  })
}

/** The texts that the conditions of a query require of columns: `where type = 'a' and kind in ('b', 'c')`. */
function keptValues(project: LintProject, model: IndexedModel): ReadonlyMap<string, readonly string[]> {
  const tokens = sqlTokens(project, model)
  const found = new Map<string, readonly string[]>()
  const where = tokens.findIndex((token) => isWord(token, 'where'))
  for (const [at, token] of tokens.entries()) {
    const [column, next] = [tokens[at - 1], tokens[at + 1]]
    const isColumn = column?.kind === 'name' || (column?.kind === 'word' && column.text !== 'not')
    if (!isColumn || where === -1 || at < where) continue
    if (token.text === '=' && next?.kind === 'string') found.set(column.text, [next.text])
    else if (isWord(token, 'in') && next?.text === '(') {
      const end = tokens.findIndex(({ text }, index) => index > at && text === ')')
      const values = tokens.slice(at + 2, end).filter(({ text }) => text !== ',')
      if (values.every(({ kind }) => kind === 'string'))
        found.set(
          column.text,
          values.map(({ text }) => text),
        )
    }
  }
  return found
}

function placeOf(project: LintProject, model: IndexedModel): ReturnType<typeof placeOfSource> {
  const [read = { source: '', table: '', line: 1 }] = model.reads
  return placeOfSource(project, model, read)
}
