/** Cents as a decimal: `1290` is `12.90`. */
export function money(cents: number): string {
  return (cents / 100).toFixed(2)
}
