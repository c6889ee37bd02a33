export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The first day of business. */
export const OPENED = Date.UTC(2024, 6, 1)

/** The time of the last load; the warehouse holds nothing later. */
export const NOW = Date.UTC(2026, 0, 1)

/** The latest time of an event that the last load includes. */
export const LAST_EVENT = NOW - 6 * HOUR

/** Prints a time as DuckDB reads it, with or without time zone. */
export function timestamp(moment: number): string {
  return new Date(moment).toISOString()
}

/** Prints a time; null if there is none. */
export function timestampOrNull(moment: number | undefined): string | null {
  return moment === undefined ? null : timestamp(moment)
}

/** Prints the day of a time, in UTC: `2025-03-14`. */
export function day(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** Converts a time to epoch seconds. */
export function epoch(moment: number): number {
  return Math.floor(moment / SECOND)
}

/** Returns the time at which a loader that runs every `every` milliseconds picks up an event. */
export function nextRun(moment: number, every: number): number {
  return Math.min(NOW, Math.ceil(moment / every) * every)
}

/** Returns the time; undefined if it is in the future. */
export function ifPast(moment: number): number | undefined {
  return moment <= LAST_EVENT ? moment : undefined
}
