/** Prints cents as a decimal: `1290` as `12.90`. */
export function money(cents: number): string {
  return (cents / 100).toFixed(2)
}
