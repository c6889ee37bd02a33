import type { Place } from '../project/source-file.ts'
import type { Finding } from '../finding.ts'

/** Somebody's word that findings are meant to be so. */
export interface Suppression {
  /** Ids of rules: `SC203`. */
  readonly rules: readonly string[]
  /** Why; undefined when none is given. */
  readonly reason: string | undefined
  /** Where it is written. */
  readonly place: Place
  readonly kind: 'comment' | 'properties' | 'configuration'
  /** Says whether a finding is one that is meant. */
  readonly covers: (finding: Finding) => boolean
  /** The text that goes when it is removed. @default it is not removed by a fix */
  readonly removal?: Place
}
