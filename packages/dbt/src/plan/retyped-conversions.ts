import { type ConfiguredConversion, parseType } from '@stagecraft/core/run'
import type { Dialect } from '@stagecraft/dialects'
import type { Warning } from '@stagecraft/spec'
import type { ArrangedTables } from './arrange-tables.ts'
import type { Drift } from './table-drift.ts'

/**
 * Warns of configured conversions of columns whose type has changed since the lock was written: the setting may be
 * wrong for the new values, and the SQL of the model may not show it.
 */
export function retypedConversions({ tables }: ArrangedTables, dialect: Dialect): readonly Warning[] {
  return tables.flatMap(({ drifts, isSelected, wanted }) => {
    const retyped = drifts.filter((drift) => drift.kind === 'retyped' && isOtherType(drift, dialect))
    if (!isSelected || retyped.length === 0) return []
    const conversions = wanted.conversions()
    return retyped.flatMap((drift) => {
      const conversion = conversions.get(drift.column ?? '')
      return conversion ? warningsOf(drift, conversion) : []
    })
  })
}

/**
 * Returns false for a change of length or precision only, which does not affect values. The scale of a decimal does.
 */
function isOtherType({ after = '', before = '' }: Drift, dialect: Dialect): boolean {
  const [was, is] = [parseType(before, dialect), parseType(after, dialect)]
  return was.base !== is.base || (is.family === 'decimal' && was.arguments[1] !== is.arguments[1])
}

function warningsOf(
  { after, before, column = '' }: Drift,
  { as, key, state }: ConfiguredConversion,
): readonly Warning[] {
  // A refused conversion has its own warning.
  if (state === 'refused') return []
  const change = `${key}: ${column} was ${before} and is ${after} now`
  return state === 'applied'
    ? [
        {
          code: 'VALUES_CHANGED',
          message: `${change}, and is still converted by "${as}"; check its values, and remove the setting if they are stored differently now`,
          column,
        },
      ]
    : [
        {
          code: 'CONVERSION_NOT_NEEDED',
          message: `${change}, so "${as}" no longer does anything; remove the setting`,
          column,
        },
      ]
}
