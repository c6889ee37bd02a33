import { asMap } from '../project/model-config.ts'
import type { Entry } from '../project/properties-file.ts'
import type { Rule } from '../rule.ts'

/** Off by default: most projects have no freshness at all. One finding per source. */
export const sourceWithoutFreshness = {
  id: 'SC502',
  name: 'source-without-freshness',
  group: 'project',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: 'a source does not state how fresh its tables must be',
  docs: {
    why: '`dbt source freshness` skips it, and models are built from stale rows without a warning.',
    example: { language: 'yaml', code: 'sources:\n  - name: shop\n    tables:\n      - name: orders' },
    remedy: 'Set `loaded_at_field` and `freshness` for the source, or for the tables that matter.',
  },
  check: ({ properties }) => {
    const entries = properties.flatMap((file) => file.entries('sources'))
    const named = [...Map.groupBy(entries, ({ name }) => name)]
    return named.flatMap(([name, parts]) => {
      const [first] = parts
      const isFresh = parts.some((part) => [part, ...part.entries('tables')].some(hasFreshness))
      if (!first || isFresh) return []
      return [
        {
          message: `source ${name} has no freshness`,
          place: first.place,
          subject: { kind: 'source' as const, name },
        },
      ]
    })
  },
} satisfies Rule

function hasFreshness({ get }: Entry): boolean {
  const freshness = get('freshness') ?? asMap(get('config'))['freshness']
  return freshness !== undefined && freshness !== null
}
