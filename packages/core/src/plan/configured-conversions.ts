import type { Conversion } from '@stagecraft/spec'
import { SettingsOf } from '../explain/settings-of.ts'
import { planColumns } from './columns.ts'
import { findKey } from './key.ts'
import { findDeletedRows } from './rows.ts'
import type { Subject } from './subject.ts'

/** A conversion that the configuration asks for. */
export interface ConfiguredConversion {
  readonly as: Exclude<Conversion, 'keep'>
  /** The key of `stagecraft.yml` that asks for it. */
  readonly key: string
  /** `held` if the column already has the target type, `refused` if its type cannot be converted. */
  readonly state: 'applied' | 'held' | 'refused'
}

const NONE: ReadonlyMap<string, ConfiguredConversion> = new Map()

/** Returns the conversions that the configuration asks for, by the stored names of the columns. */
export function configuredConversions(subject: Subject): ReadonlyMap<string, ConfiguredConversion> {
  if (subject.type === 'snapshot') return NONE
  const { columns } = planColumns({ subject, key: findKey(subject), deleted: findDeletedRows(subject) })
  const settings = new SettingsOf(subject)
  return new Map(
    columns.flatMap(({ column, config: { as }, conversion, reasons }) => {
      if (column === undefined || as === undefined || as === 'keep') return []
      const state =
        conversion === as ? 'applied' : reasons.value === 'asNotPossible' ? 'refused' : ('held' as const)
      return [[column.name, { as, key: settings.column(column.name, 'as'), state }] as const]
    }),
  )
}
