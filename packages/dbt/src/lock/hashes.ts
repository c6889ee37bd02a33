import { createHash } from 'node:crypto'
import type { YamlValue } from '../yaml/yaml-edit.ts'

/** Returns the SHA-256 of a text in hex. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns a hash of data, independent of the order of keys. */
export function hashData(value: YamlValue): string {
  return hashText(printData(value))
}

/** Prints data as the text to hash. */
export function printData(value: YamlValue): string {
  return JSON.stringify(sortKeys(value))
}

function sortKeys(value: YamlValue): YamlValue {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
