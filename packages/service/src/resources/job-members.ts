import type { JobState } from '@stagecraft/spec/api'
import type { JobColumns } from '../store/job-columns.ts'
import type { JobError } from '../store/schema.ts'

interface JobMembers {
  readonly state: JobState
  readonly error?: JobError
  readonly createdAt: string
  readonly startedAt?: string
  readonly finishedAt?: string
}

/** Returns the fields of every job. A cancellation is a state, not an error. */
export function jobMembers(
  row: Pick<JobColumns, 'state' | 'error' | 'created_at' | 'started_at' | 'finished_at'>,
): JobMembers {
  return {
    state: row.state,
    ...(row.error !== null && row.state === 'failed' && { error: JSON.parse(row.error) as JobError }),
    createdAt: toIso(row.created_at),
    ...timeMember('startedAt', row.started_at),
    ...timeMember('finishedAt', row.finished_at),
  }
}

/** Returns a stored time in the format of the interface. */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Returns a member of a resource, or nothing if the row has no value. */
export function timeMember<Name extends string>(
  name: Name,
  milliseconds: number | null,
): { readonly [Key in Name]?: string } {
  return (milliseconds === null ? {} : { [name]: toIso(milliseconds) }) as { readonly [Key in Name]?: string }
}
