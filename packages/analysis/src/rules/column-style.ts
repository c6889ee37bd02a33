import type { LintProject } from '../project/lint-project.ts'
import { layerOf } from '../project/layers.ts'
import type { Hit, Rule } from '../rule.ts'
import type { OutputColumn } from '../structure/sql-structure.ts'
import { checkStructures, type ReadModel } from './columns.ts'

/** A style is one of the project when so many of its columns keep it, and there are so many of them. */
const SHARE = 0.9
const FEWEST = 20

/** What people hold names to differs from house to house; so it is off, and only what a project itself does is asked. */
export const columnStyle = {
  id: 'SC210',
  name: 'column-style',
  group: 'staging',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure'],
  summary: `a staged column is not named as ${SHARE * 100} % of the others are`,
  docs: {
    why: 'Who writes a query guesses names, and guesses wrong where one column is an exception. Looked at are snake case, `is_` and `has_` of booleans and `_at` of timestamps, each where the project keeps it.',
    example: { language: 'sql', code: 'select "orderId", cast(created as timestamp) as created' },
    remedy: 'Rename the column here and where it is read, or suppress the finding with the reason.',
    noFix:
      'a new name has to be given in every model, test, dashboard and export that reads the column, and not all of them are in the project.',
  },
  check: (project) => {
    const all = stagedColumns(project)
    const kept = STYLES.filter((style) =>
      isKept(
        style,
        all.map(({ column }) => column),
      ),
    )
    return all.flatMap(({ column, read }): readonly Hit[] => {
      const broken = kept.find(({ concerns, fits }) => concerns(column) && !fits(column))
      if (!broken) return []
      return [
        {
          message: `${read.model.name}.${column.name} ${broken.message}, as the project has it elsewhere`,
          place: column.place,
          subject: read.subject(column.name),
        },
      ]
    })
  },
} satisfies Rule

interface Style {
  readonly concerns: (column: OutputColumn) => boolean
  readonly fits: (column: OutputColumn) => boolean
  readonly message: string
}

const castsTo =
  (pattern: RegExp) =>
  ({ casts }: OutputColumn): boolean =>
    pattern.test(casts.at(-1)?.type ?? '')

const STYLES: readonly Style[] = [
  {
    concerns: () => true,
    fits: ({ name }) => /^[a-z_][a-z0-9_]*$/.test(name),
    message: 'is not in snake case',
  },
  {
    concerns: castsTo(/^bool/),
    fits: ({ name }) => /^(?:is|has|was|does|can|should)_/.test(name),
    message: 'is a boolean and does not begin with is_ or has_',
  },
  {
    concerns: castsTo(/^(?:timestamp|datetime)/),
    fits: ({ name }) => name.endsWith('_at'),
    message: 'is a timestamp and does not end with _at',
  },
]

function isKept({ concerns, fits }: Style, columns: readonly OutputColumn[]): boolean {
  const concerned = columns.filter(concerns)
  return concerned.length >= FEWEST && concerned.filter(fits).length >= concerned.length * SHARE
}

interface StagedColumn {
  readonly read: ReadModel
  readonly column: OutputColumn
}

function stagedColumns(project: LintProject): readonly StagedColumn[] {
  const found: StagedColumn[] = []
  checkStructures(project, (read) => {
    if (layerOf(read.model) === 'staging')
      found.push(
        ...read.structure.columns.filter(({ isFromStar }) => !isFromStar).map((column) => ({ read, column })),
      )
    return []
  })
  return found
}
