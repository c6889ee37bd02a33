import type { ColumnProfile } from '@stagecraft/spec'

/** The assumed minimum number of possible texts, if the observed number is not larger. */
const TEXT_DOMAIN = 10_000

/**
 * Returns how surprising it is, in bits, that all values of the child are keys of the parent: 0 for keys that
 * are 1, 2, 3 and so on, since small numbers are among them anyway; hundreds for codes and hashes.
 */
export function surpriseBits(child: ColumnProfile, key: ColumnProfile): number {
  const { distinct = 0 } = key
  const density = Math.min(1, distinct / domainOf(key))
  return density <= 0 ? 0 : (child.distinct ?? 0) * -Math.log2(density)
}

function domainOf({ distinct = 0, max, min }: ColumnProfile): number {
  if (typeof min === 'number' && typeof max === 'number') return Math.max(1, max - min + 1)
  return Math.max(10 * distinct, TEXT_DOMAIN)
}

/**
 * Returns true if the profiles alone show that many values of the child are not keys of the parent. Exact bounds
 * refute; texts are compared by their lengths.
 */
export function isOutOfReach(child: ColumnProfile, key: ColumnProfile): boolean {
  const areExact = child.approximate !== true && key.approximate !== true
  if (areExact && (child.distinct ?? 0) * 0.9 > (key.distinct ?? Infinity)) return true
  if (isNumber(child.min) && isNumber(child.max) && isNumber(key.min) && isNumber(key.max)) {
    const width = child.max - child.min
    const outside = Math.max(0, key.min - child.min) + Math.max(0, child.max - key.max)
    return outside > 0.5 * Math.max(1, width) && outside > 1
  }
  return (
    (child.minLength ?? 0) > (key.maxLength ?? Infinity) ||
    (child.maxLength ?? Infinity) < (key.minLength ?? 0)
  )
}

function isNumber(bound: number | string | undefined): bound is number {
  return typeof bound === 'number'
}
