import { layerOf } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Hit, Rule } from '../rule.ts'
import type { OutputColumn } from '../structure/sql-structure.ts'
import { checkStructures, type ReadModel } from './columns.ts'

/** The share and the number of columns that make a style the project's own. */
const SHARE = 0.9
const FEWEST = 20

/** Off by default: naming rules differ between teams. It checks only the style of the project itself. */
export const columnStyle = {
  id: 'SC210',
  name: 'column-style',
  group: 'staging',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure'],
  summary: `the name of a staged column breaks a rule that ${SHARE * 100} % of the others follow`,
  docs: {
    why: 'People who write queries guess names, and one exception makes them guess wrong. The rule checks snake case, `is_` and `has_` for booleans and `_at` for timestamps, each only if the project follows it.',
    example: { language: 'sql', code: 'select "orderId", cast(created as timestamp) as created' },
    remedy: 'Rename the column here and wherever it is read, or suppress the finding with a reason.',
    noFix:
      'every model, test, dashboard and export that reads the column needs the new name, and some of them may be outside the project.',
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
          message: `${read.model.name}.${column.name} ${broken.message}, unlike the rest of the project`,
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
