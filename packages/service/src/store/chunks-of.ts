/** Parts of a list, small enough for the parameters of one statement on either engine. */
export function chunksOf<Item>(items: readonly Item[], size = 500): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
