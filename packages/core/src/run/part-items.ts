import { StagecraftError, type Warning } from '@stagecraft/spec'
import type { Run } from './create-run.ts'
import type { EditedItem } from './run-item.ts'

/** The tables of a run that can have a model, and warnings about the others. */
export interface PartedItems<Item extends EditedItem> {
  readonly items: readonly Item[]
  readonly warnings: readonly Warning[]
}

/**
 * Leaves out tables of whole schemas that cannot have a model of the requested type, such as a snapshot of a table
 * without a key.
 *
 * @param run The run of these items, in their order.
 * @param isNamed Returns true if the table was requested by name, so it is not left out.
 * @throws {StagecraftError} The error of the first table requested by name, or of all tables.
 */
export function leaveOutFaulty<Item extends EditedItem>(
  items: readonly Item[],
  run: Run,
  isNamed: (item: Item) => boolean,
): PartedItems<Item> {
  const faults = run.tables.map((table) => faultOf(() => table.check()))
  const first = items.findIndex((item, at) => faults[at] && isNamed(item))
  const fault = faults[first] ?? (faults.every(Boolean) ? faults[0] : undefined)
  if (fault) throw fault
  return {
    items: items.filter((_, at) => !faults[at]),
    warnings: items.flatMap((item, at): readonly Warning[] => {
      const { message } = faults[at] ?? {}
      if (message === undefined) return []
      return [{ code: 'TABLE_LEFT_OUT', message: `${item.request.source} is left out: ${message}` }]
    }),
  }
}

function faultOf(check: () => void): StagecraftError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof StagecraftError) return error
    throw error
  }
}
