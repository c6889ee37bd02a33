import { hashData } from '../lock/hashes.ts'
import type { LockedPart } from '../lock/lock.ts'
import type { YamlEdit, YamlEntry, YamlOwner } from '../yaml/yaml-edit.ts'
import type { FreshnessEdits } from './freshness-edits.ts'
import type { ReadingPlace } from './project-view.ts'

/** A generated entry of YAML, of a model or of a source table. */
export interface EntryInput {
  readonly owner: YamlOwner
  /** The subject, for people: `stg_shop__orders`, `shop.orders`. */
  readonly covers: string
  /** Adds the entry if it is missing. */
  readonly add: readonly YamlEdit[]
  /** The present entry; undefined if it is missing. */
  readonly present: YamlEntry | undefined
  /** False for a table that was not requested: only what the requested ones change in it is changed. */
  readonly isSelected: boolean
  /** The entry as generated now; undefined for a deleted table. */
  readonly wanted: YamlEntry | undefined
  /** The record in the lock; undefined if it was never generated. */
  readonly locked: LockedPart | undefined
  /** The name in the lock of an entry that was renamed. @default the present one */
  readonly formerName?: string | undefined
  /** For a deleted table: removes its entry too. */
  readonly isPruned: boolean
  /** For a deleted table: true if the project reads it outside its model, so its entry stays. @default false */
  readonly isRead?: boolean
  /** The places that read a table which no file declares; dbt fails on them. @default none */
  readonly undeclaredIn?: readonly ReadingPlace[]
  /** The entry of the last generation, as far as known; see `ModelInput.base`. */
  readonly base: YamlEntry | undefined
  /** Renamed columns, by former name. @default none */
  readonly renames?: ReadonlyMap<string, string>
  /** The new stored name of a renamed table, written even if a person declares the table. @default unchanged */
  readonly identifier?: { readonly was: string | undefined; readonly is: string } | undefined
  /** Settings for an entry that a person wrote, or the reasons why they are not written. @default none */
  readonly asked?: FreshnessEdits
  /** For a deleted table: the generated part of its source. @default unknown */
  readonly ofSource?: YamlEntry | undefined
}

/** Returns true for an entry that is unchanged since it was generated, apart from its new name. */
export function isAsGenerated({
  formerName,
  locked,
  present,
}: Pick<EntryInput, 'formerName' | 'locked' | 'present'>): boolean {
  if (!present || !locked) return false
  return hashData(formerName === undefined ? present : { ...present, name: formerName }) === locked.sha256
}
