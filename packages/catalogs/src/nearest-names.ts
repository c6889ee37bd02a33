import { compareText } from '@stagecraft/spec'

const MOST = 3

/**
 * Up to three names that somebody may have meant, the nearest first: those that hold the wanted one or are held by
 * it, and those that differ in few letters, a swapped pair counting as one.
 */
export function nearestNames(wanted: string, names: Iterable<string>): readonly string[] {
  const lower = wanted.toLowerCase()
  const limit = Math.max(Math.min(lower.length - 1, 1), Math.floor(lower.length * 0.4))
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(name.toLowerCase(), lower, limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || compareText(a.name, b.name))
    .slice(0, MOST)
    .map(({ name }) => name)
}

function distanceTo(name: string, wanted: string, limit: number): number {
  const isPart = wanted.length > 2 && name.length > 2 && (name.includes(wanted) || wanted.includes(name))
  const difference = Math.abs(name.length - wanted.length)
  if (isPart) return difference / (difference + 1) // nearer than any name with another letter
  return difference > limit ? Infinity : editDistance(name, wanted)
}

/**
 * Letters to insert, delete, replace or swap with their neighbour. The libraries for this count a swapped pair, which
 * is the most common slip of typing, as two.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
