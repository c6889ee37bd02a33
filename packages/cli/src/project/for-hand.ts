import type { FileConflict } from '@stagecraft/dbt'

const FOR_HAND = {
  markers: true,
  name: true,
  source: true,
  yaml: true,
  addition: false,
  column: false,
  lines: false,
} satisfies Record<FileConflict['kind'], boolean>

/** Returns true for a conflict that `--conflict` cannot resolve. */
export function isForHand({ kind }: FileConflict): boolean {
  return FOR_HAND[kind]
}
