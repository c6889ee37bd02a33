import type { Dialect, Family } from '@stagecraft/dialects'
import { parseType } from '../sql/types.ts'
import { type Loss, READS_NUMBERS, READS_TIME } from './expression-traits.ts'
import { type ExpressionTree, isConstant, withParts } from './expression-tree.ts'

const NUMBERS: ReadonlySet<Family | undefined> = new Set<Family>(['integer', 'decimal', 'float', 'boolean'])
const TIMES: ReadonlySet<Family | undefined> = new Set<Family>([
  'date',
  'time',
  'timestamp_ntz',
  'timestamp_tz',
  'interval',
])

/** Operands with the family that they are read as. */
interface Wanted {
  readonly operands: readonly ExpressionTree[]
  readonly as: 'number' | 'time'
}

const LOSS_BY_READING: Readonly<Record<Wanted['as'], Loss>> = { number: 'zeros', time: 'nulls' }

/**
 * Returns the losses of reading text as a number or a time: some warehouses silently return 0 or null for invalid text.
 */
export function looseLosses(
  tree: ExpressionTree,
  dialect: Dialect,
  familyOf: (part: ExpressionTree) => Family | undefined,
): readonly Loss[] {
  if (!dialect.functions.textAsZero) return []
  const isText = (part: ExpressionTree): boolean => !isConstant(part) && familyOf(part) === 'string'
  return withParts(tree)
    .map((part) => wantedOf(part, dialect, familyOf))
    .flatMap(({ as, operands }) => (operands.some(isText) ? [LOSS_BY_READING[as]] : []))
}

function wantedOf(
  part: ExpressionTree,
  dialect: Dialect,
  familyOf: (part: ExpressionTree) => Family | undefined,
): Wanted {
  if (part.kind === 'cast') {
    return asFamily(parseType(part.type, dialect).family, [part.operand])
  }
  if (part.kind === 'unary') {
    return { operands: [part.operand], as: 'number' }
  }
  if (part.kind === 'case') {
    return { operands: part.branches.map(({ condition }) => condition), as: 'number' }
  }
  if (part.kind === 'call') {
    return wantedOfCall(part)
  }
  const operands =
    part.kind === 'binary' ? [part.left, part.right] : part.kind === 'test' ? part.operands : []
  const isTruth = part.kind === 'test' ? /^is (?:true|false)$/.test(part.operator) : isLogical(part)
  if (isTruth || isSum(part))
    return { operands, as: operands.some((one) => TIMES.has(familyOf(one))) ? 'time' : 'number' }
  return asFamily(
    operands.map(familyOf).find((family) => NUMBERS.has(family)),
    operands,
  )
}

function isLogical(part: ExpressionTree): boolean {
  return part.kind === 'binary' && (part.operator === 'and' || part.operator === 'or')
}

function isSum(part: ExpressionTree): boolean {
  return part.kind === 'binary' && /^[-+*/%]$/.test(part.operator)
}

/** Returns the operands with the family of their neighbours, or of their cast. */
function asFamily(family: Family | undefined, operands: readonly ExpressionTree[]): Wanted {
  if (NUMBERS.has(family)) return { operands, as: 'number' }
  return { operands: TIMES.has(family) ? operands : [], as: 'time' }
}

function wantedOfCall({ name, operands }: ExpressionTree & { readonly kind: 'call' }): Wanted {
  if (/^(?:if|iif)$/i.test(name)) return { operands: operands.slice(0, 1), as: 'number' }
  if (READS_NUMBERS.has(name.toLowerCase())) return { operands, as: 'number' }
  return { operands: READS_TIME.test(name) ? operands : [], as: 'time' }
}
