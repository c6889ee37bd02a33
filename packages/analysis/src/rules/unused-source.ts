import type { LintProject } from '../project/lint-project.ts'
import { foreignCalls } from './foreign-macro.ts'
import { sourceTables } from '../project/source-config.ts'
import { placeAt, list } from './subjects.ts'
import type { Hit, Rule, Unchecked } from '../rule.ts'

/** One finding per source: a source of a whole schema may have hundreds of unused tables. */
export const unusedSource = {
  id: 'SC401',
  name: 'unused-source',
  group: 'graph',
  severity: 'info',
  isDefault: true,
  needs: ['files'],
  summary: 'a source declares tables that nothing reads',
  docs: {
    why: 'Tests and freshness checks of unused tables cost time on every run, and readers take the tables for part of the project.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n      - name: orders_old # no model reads it',
    },
    remedy: 'Remove the tables, or stage them.',
  },
  check: (project) => {
    const used = usedTables(project)
    const dynamic = dynamicSources(project)
    const readers = macrosThatName(project)
    const declared = Map.groupBy(sourceTables(project), ({ source }) => source)
    return [...declared].flatMap(([{ line, name, path }, all]): readonly (Hit | Unchecked)[] => {
      const tables = all.map(({ table }) => table)
      const unused = tables.filter((table) => !used.has(JSON.stringify([name, table.name])))
      const subject = { kind: 'source', name } as const
      if (unused.length === 0) return []
      if (dynamic.has(name) || dynamic.has(undefined))
        return [{ subject, unchecked: 'which of its tables are read is only known when dbt runs' }]
      const reader = readers.get(name)
      if (reader !== undefined) return [{ subject, unchecked: `the macro ${reader} may read it` }]
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
  // Those of models have what the variables of the project hold, too.
  const reads = project.index.models.flatMap((model) => model.reads)
  return new Set(
    [...references.flatMap(({ source }) => source ?? []), ...reads].map(({ source, table }) =>
      JSON.stringify([source, table]),
    ),
  )
}

/** Returns the sources of calls with a computed table; undefined stands for a computed source. */
function dynamicSources({ references }: LintProject): ReadonlySet<string | undefined> {
  const calls = [...references.values()]
    .flat()
    .flatMap(({ dynamic }) => (dynamic?.call === 'source' ? [dynamic] : []))
  return new Set(calls.map(({ first }) => first))
}

/** Macros of packages that are given the name of a source, by that name: they may read any table of it. */
function macrosThatName(project: LintProject): ReadonlyMap<string, string> {
  const calls = project.index.models.flatMap(foreignCalls(project))
  return new Map(
    calls.flatMap(({ name, named, positional }) =>
      [...positional, ...Object.values(named)].flatMap((value) =>
        typeof value === 'string' ? [[value, name] as const] : [],
      ),
    ),
  )
}
