import { compareText } from '@stagecraft/spec'

/** Orders paths as people count: by folder and by number, so that `V2__b.sql` comes before `V10__a.sql`. */
export function compareNaturally(a: string, b: string): number {
  const [left, right] = [a, b].map((path) => path.split('/').map(splitNumbers))
  for (const [index, parts] of (left ?? []).entries()) {
    const others = right?.[index]
    const order = others ? compareParts(parts, others) : 1
    if (order !== 0) return order
  }
  return (left?.length ?? 0) - (right?.length ?? 0) || compareText(a, b)
}

/** `V1_10__add` as `V`, `1`, `_`, `10`, `__add`. */
function splitNumbers(name: string): readonly string[] {
  return name.replace(/\.sql$/i, '').match(/\d+|\D+/g) ?? []
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const areNumbers = /^\d/.test(part) && /^\d/.test(other)
    const order = areNumbers ? compareNumbers(part, other) : compareText(part, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Of any length. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')]
  return left.length - right.length || compareText(left, right)
}
