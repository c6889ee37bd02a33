import type { JobState } from '@stagecraft/spec/api'

/** The columns that make a row a job, leased by one process at a time. */
export interface JobColumns {
  id: string
  project_id: string
  state: JobState
  /** The earliest start. */
  due_at: number
  /** The number of starts so far. */
  attempts: number
  /** The token of the current claim. It stops an earlier worker from writing. */
  lease_owner: string | null
  lease_until: number | null
  /** JSON of code, message and details. */
  error: string | null
  /** 1 if it must stop; the holder checks it. */
  cancel: 0 | 1
  created_at: number
  started_at: number | null
  finished_at: number | null
}
