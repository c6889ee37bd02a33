import type { IndexedSource, IndexedTable } from '@stagecraft/dbt'
import { isEnabled, isExternalFile, sourceTables } from '../project/source-config.ts'
import type { Rule } from '../rule.ts'
import { placeAt } from './subjects.ts'

/** One raw table under two names is two nodes in the lineage. */
export const duplicateRelation = {
  id: 'SC408',
  name: 'duplicate-relation',
  group: 'graph',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'two source tables are the same relation of the warehouse',
  docs: {
    why: 'Its tests and freshness checks run twice, and its lineage is split: neither table shows everything that depends on the relation.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n  - name: shop_again\n    schema: shop\n    tables:\n      - name: orders',
    },
    remedy: 'Keep one of them, and change the `source()` calls of the other.',
  },
  check: (project) => {
    // of sources that a variable switches, only one may be there
    const known = sourceTables(project).filter(
      (one) =>
        isKnown(one.source) &&
        !one.table.identifier.includes('{') &&
        isEnabled(project, one) === true &&
        !isExternalFile(one),
    )
    const groups = Map.groupBy(known, relationOf)
    return [...groups.values()].flatMap(([first, ...others]) =>
      others
        .filter(({ source, table }) => source.name !== first?.source.name || table.name !== first.table.name)
        .map(({ source, table }) => ({
          message: `${source.name}.${table.name} is the same relation as ${first?.source.name}.${first?.table.name} (${first?.table.path}:${first?.table.line})`,
          place: placeAt(project, table.path, table.line),
          subject: { kind: 'source' as const, name: `${source.name}.${table.name}` },
        })),
    )
  },
} satisfies Rule

/** Places computed by Jinja are unknown. */
function isKnown({ database, schema, written }: IndexedSource): boolean {
  return schema !== undefined && (database !== undefined || written.database === undefined)
}

function relationOf({
  source,
  table,
}: {
  readonly source: IndexedSource
  readonly table: IndexedTable
}): string {
  return JSON.stringify([source.database ?? null, source.schema, table.identifier])
}
