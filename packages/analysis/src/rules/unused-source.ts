import type { LintProject } from '../project/lint-project.ts'
import { placeAt, list } from './subjects.ts'
import type { Hit, Rule, Unchecked } from '../rule.ts'

/** One finding per source: a source of a whole schema has hundreds of tables that nobody reads. */
export const unusedSource = {
  id: 'SC401',
  name: 'unused-source',
  group: 'graph',
  severity: 'info',
  isDefault: true,
  needs: ['files'],
  summary: 'a source declares tables that nothing reads',
  docs: {
    why: 'Tests and freshness of tables that nobody needs cost time on every run, and readers take them for part of the project.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n      - name: orders_old # no model reads it',
    },
    remedy: 'Remove the tables, or stage them.',
  },
  check: (project) => {
    const used = usedTables(project)
    const dynamic = dynamicSources(project)
    return project.index.sources.flatMap(({ line, name, path, tables }): readonly (Hit | Unchecked)[] => {
      const unused = tables.filter((table) => !used.has(JSON.stringify([name, table.name])))
      const subject = { kind: 'source', name } as const
      if (unused.length === 0) return []
      if (dynamic.has(name) || dynamic.has(undefined))
        return [{ subject, unchecked: 'tables of it are chosen when dbt runs' }]
      const names = list(unused.map((table) => table.name))
      const [only] = unused
      return [
        {
          message:
            unused.length === tables.length
              ? `nothing reads source ${name} (${names})`
              : `nothing reads these tables of source ${name}: ${names}`,
          place: placeAt(project, path, unused.length === 1 && only ? only.line : line),
          subject,
        },
      ]
    })
  },
} satisfies Rule

function usedTables(project: LintProject): ReadonlySet<string> {
  const references = [...[...project.references.values()].flat(), ...project.propertyReferences]
  return new Set(
    references.flatMap(({ source }) => (source ? [JSON.stringify([source.source, source.table])] : [])),
  )
}

/** Sources of calls whose table is worked out; undefined among them when the source is, too. */
function dynamicSources({ references }: LintProject): ReadonlySet<string | undefined> {
  const calls = [...references.values()]
    .flat()
    .flatMap(({ dynamic }) => (dynamic?.call === 'source' ? [dynamic] : []))
  return new Set(calls.map(({ first }) => first))
}
