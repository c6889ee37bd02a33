const HOUR_MS = 3_600_000

/** The longest pause that a receiver can ask for. An outage (503) may take longer than other reasons. */
function longestPauseMs(status: number): number {
  return status === 503 ? 24 * HOUR_MS : HOUR_MS
}

// The three forms of a date, see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7. Other texts that Date.parse()
// accepts are not dates here.
const WITH_ZONE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/
const WITHOUT_ZONE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

export interface RetryAfterOptions {
  readonly status: number
  /** In milliseconds since 1970. */
  readonly now: number
}

/** Returns the pause that a receiver asks for, in seconds or until a date; undefined for anything else. */
export function readRetryAfter(
  header: string | readonly string[] | undefined,
  { status, now }: RetryAfterOptions,
): number | undefined {
  const text = (typeof header === 'string' ? header : (header?.[0] ?? '')).trim()
  const pause = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : readDate(text) - now
  if (Number.isNaN(pause)) return undefined
  return Math.round(Math.min(Math.max(pause, 0), longestPauseMs(status)))
}

function readDate(text: string): number {
  if (WITH_ZONE.test(text)) return Date.parse(text)
  return WITHOUT_ZONE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}
