import { type FileTree, readText } from '@stagecraft/dbt'
import { asMap } from './model-config.ts'

/** The freshness of a source table at dbt's last check. */
export interface FreshnessResult {
  /** `pass`, `warn`, `error` or `runtime error`. */
  readonly status: string
  /** The time of the newest row, as dbt wrote it. */
  readonly newest: string | undefined
  /** The time of the check. */
  readonly checked: string | undefined
}

/** Reads `sources.json` of a project, by `source.table`; undefined if it is missing or unreadable. */
export async function readFreshness(
  tree: FileTree,
  targetPath: string,
): Promise<ReadonlyMap<string, FreshnessResult> | undefined> {
  const text = await readText(tree, `${targetPath}/sources.json`)
  const results = asMap(parseJson(text ?? ''))['results']
  if (!Array.isArray(results)) return undefined
  return new Map(
    results
      .map(asMap)
      .flatMap(({ max_loaded_at: newest, snapshotted_at: checked, status, unique_id: id }) => {
        const [source, table] = typeof id === 'string' ? id.split('.').slice(-2) : []
        if (source === undefined || table === undefined || typeof status !== 'string') return []
        return [[`${source}.${table}`, { status, newest: asText(newest), checked: asText(checked) }] as const]
      }),
  )
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A half-written file of dbt counts as missing. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
