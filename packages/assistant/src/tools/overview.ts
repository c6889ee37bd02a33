import { layerOf } from '@stagecraft/dbt'
import { z } from '@stagecraft/spec/zod'
import { defineTool, itemSchema } from '../tool.ts'

const count = z.int().min(0).max(100_000_000)

/** Counts the resources of the project; its items are the sources. */
export const projectOverview = defineTool({
  name: 'project_overview',
  title: 'Overview of the project',
  description:
    'Counts models by layer, sources, tests and lint findings of the dbt project. Items are its sources. Start here.',
  input: {},
  head: {
    project: z.string(),
    dialect: z.string(),
    requiredDbt: z.array(z.string()),
    counts: z.record(z.string(), count),
    layers: z.record(z.string(), count),
    findings: z.record(z.string(), count),
  },
  item: itemSchema,
  run: (view) => {
    const { dialect, has, index, isDialectKnown } = view.project
    const { findings } = view.report()
    const byKind = Map.groupBy(view.lineage.nodes, ({ kind }) => kind)
    const models = [...view.models.values()].filter(({ kind }) => kind === 'model')
    const sources = Map.groupBy(index.sources, ({ name }) => name)
    return {
      head: {
        project: index.settings.name,
        dialect: dialect.name,
        requiredDbt: index.settings.requireDbtVersion.slice(0, 5),
        counts: {
          models: models.length,
          sources: sources.size,
          'source tables': byKind.get('source')?.length ?? 0,
          seeds: byKind.get('seed')?.length ?? 0,
          snapshots: byKind.get('snapshot')?.length ?? 0,
          exposures: byKind.get('exposure')?.length ?? 0,
          macros: index.macros.length,
        },
        layers: countBy(models.map((model) => layerOf(model) ?? 'other')),
        findings: countBy(findings.map(({ rule }) => rule)),
      },
      items: [...sources].map(([name, [first, ...others]]) => ({
        id: `source.${name}`,
        kind: 'source',
        file: first?.path ?? '',
        line: first?.line ?? 1,
        text: `${[first, ...others].reduce((sum, one) => sum + (one?.tables.length ?? 0), 0)} tables declared`,
      })),
      notes: [
        ...index.faults.map(({ line, path, reason }) => `not read: ${path}:${line}: ${reason}`),
        ...(isDialectKnown
          ? []
          : [`nothing names the dialect of the project, so its SQL is read as ${dialect.name}`]),
        ...(has.has('structure')
          ? []
          : ['the SQL of models was not parsed: @polyglot-sql/sdk is not installed']),
        ...(has.has('raw-tables')
          ? []
          : ['types and keys of raw tables are not known, because there is no stagecraft.lock']),
      ],
    }
  },
})

function countBy(names: readonly string[]): Record<string, number> {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length] as const)
  return Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
