/** Reads a setting of this browser; storage may be switched off. */
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
    // Storage is off: the choice holds until the page is left.
  }
}

const isUtc = (): boolean => readSetting('zone') === 'utc'

function print(iso: string, style: Intl.DateTimeFormatOptions): string {
  const zone = isUtc() ? { timeZone: 'UTC' } : {}
  return new Intl.DateTimeFormat('en', { ...style, ...zone }).format(new Date(iso))
}

const dateOf = (iso: string): string => print(iso, { dateStyle: 'medium' })

/** A time in full, local or in UTC as chosen. */
export function fullTime(iso: string): string {
  return print(iso, { dateStyle: 'medium', timeStyle: 'medium' }) + (isUtc() ? ' UTC' : '')
}

/** Both times, for whoever looks closer. */
export function timeTitle(iso: string): string {
  const date = new Date(iso)
  return `${date.toLocaleString('en')} local\n${date.toISOString()}`
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A time as it is from now: `3 min. ago`, `in 2 hr.`; beyond a week the date. */
export function relativeTime(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  if (Math.abs(seconds) > 7 * 86_400) return dateOf(iso)
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  return format.format(seconds, 'second')
}

/** A time that something took: `480 ms`, `12.3 s`, `4 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.round(milliseconds / 60_000)} min`
}

export function number(value: number): string {
  return new Intl.NumberFormat('en').format(value)
}
