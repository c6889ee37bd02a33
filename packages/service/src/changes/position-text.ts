import { KEPT_MS, type Position } from './read-changes.ts'

/** A position as clients have it, with the time at which they got it. */
interface Mark extends Position {
  readonly at: number
}

/** Prints a mark for `Last-Event-ID`. */
export function printMark({ at, position, seq }: Mark): string {
  return [at, position, seq].map((number) => number.toString(36)).join('-')
}

/** Returns the position of a mark; undefined for a text that is none, or for one that is too old. */
export function readMark(text: string, now: number): Position | undefined {
  const parts = /^[0-9a-z]{1,11}(-[0-9a-z]{1,11}){2}$/.test(text) ? text.split('-') : []
  const [at, position, seq] = parts.map((part) => Number.parseInt(part, 36))
  if (at === undefined || position === undefined || seq === undefined) return undefined
  return at > now - KEPT_MS && Number.isSafeInteger(position) && Number.isSafeInteger(seq)
    ? { position, seq }
    : undefined
}
