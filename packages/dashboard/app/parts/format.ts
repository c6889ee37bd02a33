/** Reads a setting of this browser. Storage may be disabled. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export function writeSetting(name: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // Storage is disabled: the setting lasts until the page is closed.
  }
}

/** Returns the locale for numbers and times: that of the texts, or the browser's. */
const language = (): string => (readSetting('locale') === 'browser' ? navigator.language : 'en')

const isUtc = (): boolean => readSetting('zone') === 'utc'

function print(iso: string, style: Intl.DateTimeFormatOptions): string {
  const zone = isUtc() ? { timeZone: 'UTC' } : {}
  return new Intl.DateTimeFormat(language(), { ...style, ...zone }).format(new Date(iso))
}

const dateOf = (iso: string): string => print(iso, { dateStyle: 'medium' })

/** Prints a full time, local or in UTC as configured. */
export function fullTime(iso: string): string {
  return print(iso, { dateStyle: 'medium', timeStyle: 'medium' }) + (isUtc() ? ' UTC' : '')
}

/** Prints both times, for a tooltip. */
export function timeTitle(iso: string): string {
  const date = new Date(iso)
  return `${date.toLocaleString(language())} local\n${date.toISOString()}`
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Prints a relative time: `3 min. ago`, `in 2 hr.`; the date beyond a week. */
export function relativeTime(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  if (Math.abs(seconds) > 7 * 86_400) return dateOf(iso)
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto', style: 'short' })
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  return format.format(seconds, 'second')
}

/** Prints a duration: `480 ms`, `12.3 s`, `4 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.round(milliseconds / 60_000)} min`
}

export function number(value: number): string {
  return new Intl.NumberFormat(language()).format(value)
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** Prints a size: `950 byte`, `1.2 GB`. */
export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), SIZES.length - 1)
  return new Intl.NumberFormat(language(), {
    style: 'unit',
    unit: SIZES[power] ?? 'byte',
    maximumFractionDigits: 1,
  }).format(value / 1000 ** power)
}

/** Prints a share: `12.5%`. */
export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 1 }).format(share)
}

/** Prints a time for input fields, in the configured zone: `2026-11-23T04:05`. */
export function fieldTime(iso: string): string {
  const date = new Date(iso)
  const shift = isUtc() ? 0 : date.getTimezoneOffset() * 60_000
  return new Date(date.getTime() - shift).toISOString().slice(0, 16)
}

/** Converts a time of an input field to the service's format; empty for none. */
export function isoTime(field: string): string {
  return field === '' ? '' : new Date(isUtc() ? `${field}Z` : field).toISOString()
}

/** Returns the time in the address in the service's format; undefined for anything else. */
export function asTime(text: string | null): string | undefined {
  return text === null || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()
}
