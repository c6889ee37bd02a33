import type { ConnectionResource } from '@stagecraft/spec/api'
import { toIso } from '../resources/job-members.ts'
import { fromJson, toJson } from '../store/json.ts'
import type { ConnectionRow } from '../store/schema.ts'

/** The result of a test. */
export interface LastTest {
  /** By the clock of the database. */
  readonly at: number
  readonly ok: boolean
  /** The reason of a failure, without secrets. */
  readonly reason?: string
}

export function printLastTest(test: LastTest): string {
  return toJson(test)
}

/** A connection as the interface shows it: without its catalog. */
export function toConnection(
  row: Omit<ConnectionRow, 'catalog' | 'project_id'>,
  { isDefault }: { readonly isDefault: boolean },
): ConnectionResource {
  const test = row.last_test === null ? undefined : (fromJson(row.last_test) as LastTest)
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    target: row.target,
    isDefault,
    ...(test && { lastTest: { ...test, at: toIso(test.at) } }),
    version: row.version,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}
