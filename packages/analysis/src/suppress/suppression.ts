import type { Place } from '../project/source-file.ts'
import type { Finding } from '../finding.ts'

/** A suppression of intended findings. */
export interface Suppression {
  /** Ids of rules: `SC203`; none for a suppression that names no rule. */
  readonly rules: readonly string[]
  /** The reason; undefined without one. */
  readonly reason: string | undefined
  /** Its place. */
  readonly place: Place
  readonly kind: 'comment' | 'properties' | 'configuration'
  /** Returns true if it applies to a finding. */
  readonly covers: (finding: Finding) => boolean
  /** The text to delete with it. @default no fix removes it */
  readonly removal?: Place
}
