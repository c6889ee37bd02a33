import type { ConvertedValue } from './converted-value.ts'
import * as names from './value-names.ts'

/** A text with the number that it means. */
export type TextSample = readonly [said: string, meant: number]

/** Numbers as people write them: `1.234,56`, `$1,234.56`, `(12.50)`. A lone group of three digits is not clear. */
const WRITTEN = /(\(?)([-+]?)\s?[$€£¥]?\s?(\d{1,3}(?:[.,' ]\d{3})+|\d+)([.,]\d{1,2})(?!\d)\s?[$€£¥]?(\)?)/

/** Words of numbers whose fraction and sign count. */
const AMOUNTS = /^(?:amt|amount|price|cost|fee|total|tax|balance|bal|payment|refund|revenue|salary)$/

/**
 * Returns texts that a column of texts can hold, with the numbers that they mean: those of the comment, as it writes
 * them, else plain ones.
 */
export function textSamples({
  raw,
  said,
  to,
}: Pick<ConvertedValue, 'raw' | 'said' | 'to'>): readonly TextSample[] {
  const [whole = '', open = '', sign = '', digits = '', fraction = '', close = ''] = WRITTEN.exec(said) ?? []
  if (whole !== '') {
    const isNegative = sign === '-' || (open === '(' && close === ')')
    const meant = Number(`${digits.replace(/\D/g, '')}.${fraction.slice(1)}`)
    const bare = open !== '' && close === '' ? whole.slice(1) : whole
    return [[isNegative ? bare.trim() : bare.replace(/[()]/g, '').trim(), isNegative ? -meant : meant]]
  }
  const isFraction = !isWhole(raw) && (to !== 'integer' || isAmount(raw))
  const plain = [1999, 7, ...(isFraction ? [1999.37, -13.37] : [])]
  return plain.map((one) => [String(one), one])
}

function isAmount(raw: readonly string[]): boolean {
  return names.isPrecise(raw) || raw.some((word) => AMOUNTS.test(word))
}

function isWhole(raw: readonly string[]): boolean {
  return names.isCounted(raw) || raw.some((word) => /^(?:qty|quantity)$/.test(word))
}
