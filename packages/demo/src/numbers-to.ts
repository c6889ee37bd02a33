/** Returns the numbers 1, 2, 3 … up to `count`. */
export function numbersTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
