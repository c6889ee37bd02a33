import type { Change } from './definitions.ts'
import type { QualifiedName } from './qualified-name.ts'

/** Gives two tables each other's name. */
export function swapNames(first: QualifiedName, second: QualifiedName): Change {
  const between = { ...first, name: `${first.name} on its way to ${second.name}` }
  return {
    kind: 'rename tables',
    pairs: [
      [first, between],
      [second, first],
      [between, second],
    ],
  }
}
