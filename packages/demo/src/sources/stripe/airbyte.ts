import type { Random } from '../../random.ts'
import { HOUR, MINUTE, nextRun, SECOND, timestamp } from '../../time.ts'

/** The columns that Airbyte adds in front of those of a stream. */
export const AIRBYTE_COLUMNS = {
  _airbyte_raw_id: 'varchar',
  _airbyte_extracted_at: 'timestamptz',
  _airbyte_meta: 'json',
  _airbyte_generation_id: 'bigint',
} as const

const EVERY = 12 * HOUR

/**
 * Returns the columns that Airbyte adds. The stream is deduplicated, so only the last extraction of a row is
 * kept.
 */
export function extracted(changedAt: number, random: Random) {
  const run = nextRun(changedAt + 2 * MINUTE, EVERY)
  const changes = random.chance(0.01)
    ? [{ field: 'metadata', change: 'NULLED', reason: 'SOURCE_SERIALIZATION_ERROR' }]
    : []
  return {
    _airbyte_raw_id: random.uuid(),
    _airbyte_extracted_at: timestamp(run - random.integer(SECOND, MINUTE)),
    _airbyte_meta: { sync_id: Math.floor(run / EVERY), changes },
    _airbyte_generation_id: 3,
  }
}
