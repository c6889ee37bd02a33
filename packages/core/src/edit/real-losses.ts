import type { Dialect, Family } from '@stagecraft/dialects'
import { toSnakeCase } from '../naming/tokens.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { parseType } from '../sql/types.ts'
import { isFlag } from './column-words.ts'
import type { Loss } from './expression-traits.ts'
import { type ExpressionTree, isNull, withParts } from './expression-tree.ts'
import { text, truthOf } from './trial-value.ts'
import { partsOfName } from './rename-words.ts'
import { isCaseless } from './value-names.ts'
import { isMapping, isReversible } from './value-mappings.ts'
import { saysFormat } from './value-times.ts'

/** What is known of a column with an expression. */
interface Facts {
  readonly tree: ExpressionTree
  readonly column: string
  readonly said: string
  readonly from: Family
  readonly to: Family
}

/** Returns what is known of a column before it gets an expression. */
export function factsOf({ column }: StagedColumn, dialect: Dialect): Omit<Facts, 'tree' | 'to'> {
  return {
    column: column?.name ?? '',
    said: column?.comment ?? '',
    from: parseType(column?.type ?? '', dialect).family,
  }
}

/** Returns the losses that values of a column can have: an integer has no digits to round, a flag two values. */
export function realLosses(losses: ReadonlySet<Loss>, facts: Facts): readonly Loss[] {
  const { from, to } = facts
  const real = [...losses].flatMap((loss): readonly Loss[] => {
    if (loss === 'rounding') return from === 'integer' && to === 'integer' ? [] : [loss]
    if (loss === 'day') return from.startsWith('timestamp') ? [loss] : []
    if (loss === 'case') return isCaseless(partsOfName(toSnakeCase(facts.column))) ? [] : [loss]
    if (loss === 'clock') return dropsClock(facts) ? [loss] : []
    if (loss !== 'category') return [loss]
    if (isYesNo(facts) || isReversible(facts)) return []
    if (to === 'boolean') return [loss]
    if (isMapping(facts)) return ['unlisted']
    return from === 'string' && to !== 'string' && isGuard(facts) ? ['nulls'] : [loss]
  })
  return from === 'timestamp_tz' && to === 'timestamp_ntz' && !real.includes('clock') && !movesZone(facts)
    ? [...real, 'zone']
    : real
}

/** A text has a time of day if neither the comment nor the expression says that it is a date. */
function dropsClock({ from, said, tree }: Facts): boolean {
  if (from === 'date') return false
  return from !== 'string' || !saysFormat(tree, said)
}

/** `at time zone` keeps the zone in mind. */
function movesZone({ tree }: Facts): boolean {
  return withParts(tree).some((part) => part.kind === 'zone' || part.kind === 'call')
}

/** Returns true if an expression compares a flag with words for yes and no only. */
function isYesNo({ column, to, tree }: Facts): boolean {
  if (to !== 'boolean') return false
  const parts = withParts(tree)
  const texts = parts.flatMap((part) => (part.kind === 'text' ? part.value : []))
  const numbers = parts.flatMap((part) => (part.kind === 'number' ? part.value : []))
  const areWords = texts.length > 0 && texts.every((one) => truthOf(text(one)) !== undefined)
  const areBits = numbers.length > 0 && numbers.every((one) => one === '0' || one === '1')
  return (texts.length === 0 || areWords) && (areWords || (areBits && isFlag(toSnakeCase(column))))
}

/** `case when x ~ '^[0-9]+$' then cast(x as int) end` */
function isGuard({ tree }: Facts): boolean {
  return tree.kind === 'case' && (!tree.otherwise || isNull(tree.otherwise))
}
