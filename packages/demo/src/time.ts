export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The first day of business. */
export const OPENED = Date.UTC(2024, 6, 1)

/** The time of the last load; the warehouse holds nothing later. */
export const NOW = Date.UTC(2026, 0, 1)

/** The last moment of which the last load could know. */
export const LAST_EVENT = NOW - 6 * HOUR

/** As DuckDB reads a timestamp, with or without time zone. */
export function timestamp(moment: number): string {
  return new Date(moment).toISOString()
}

/** The same of what may not have happened. */
export function timestampOrNull(moment: number | undefined): string | null {
  return moment === undefined ? null : timestamp(moment)
}

/** The day of a moment, in UTC: `2025-03-14`. */
export function day(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** Epoch seconds. */
export function epoch(moment: number): number {
  return Math.floor(moment / SECOND)
}

/** Returns the time at which a loader that runs every `every` milliseconds picks up an event. */
export function nextRun(moment: number, every: number): number {
  return Math.min(NOW, Math.ceil(moment / every) * every)
}

/** The moment, unless it is still to come. */
export function ifPast(moment: number): number | undefined {
  return moment <= LAST_EVENT ? moment : undefined
}
