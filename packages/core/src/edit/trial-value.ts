/** A value of an expression that is tried on a sample. */
export type TrialValue =
  | { readonly kind: 'number'; readonly value: number; readonly isWhole: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'truth'; readonly value: boolean }
  /** A date or a time, in seconds since 1970. */
  | { readonly kind: 'moment'; readonly seconds: number }
  | { readonly kind: 'span'; readonly seconds: number }
  | { readonly kind: 'null' }
  /** A value outside of what is followed here. */
  | { readonly kind: 'unknown' }

export const NULL: TrialValue = { kind: 'null' }
export const UNKNOWN: TrialValue = { kind: 'unknown' }

export function number(value: number, isWhole = Number.isInteger(value)): TrialValue {
  return Number.isFinite(value) ? { kind: 'number', value, isWhole } : UNKNOWN
}

export function text(value: string): TrialValue {
  return { kind: 'text', value }
}

export function truth(value: boolean): TrialValue {
  return { kind: 'truth', value }
}

export function moment(seconds: number): TrialValue {
  return { kind: 'moment', seconds }
}

/** Returns a value as a number; undefined if it is not one. */
export function numberOf(value: TrialValue): number | undefined {
  if (value.kind === 'number') return value.value
  if (value.kind === 'truth') return value.value ? 1 : 0
  if (value.kind === 'text' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value.value)) return Number(value.value)
  return undefined
}

const YES: ReadonlySet<string> = new Set(['1', 'y', 'yes', 't', 'true', 'on', 'active', 'enabled'])
const NO: ReadonlySet<string> = new Set(['0', 'n', 'no', 'f', 'false', 'off', 'inactive', 'disabled'])

/** Returns the meaning of a value as yes or no; undefined if it has none. */
export function truthOf(value: TrialValue): boolean | undefined {
  if (value.kind === 'truth') return value.value
  if (value.kind === 'number') return value.value !== 0
  if (value.kind !== 'text') return undefined
  const word = value.value.trim().toLowerCase()
  return YES.has(word) ? true : NO.has(word) ? false : undefined
}
