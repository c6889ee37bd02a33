/** The most that names may differ for one to be a slip of the other: a third of the letters. */
const SHARE = 3

/** The name that is closest to another one; undefined when none is close, or two are equally so. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / SHARE))
  let best: { readonly name: string; readonly distance: number } | undefined
  let isTie = false
  for (const other of known) {
    if (Math.abs(other.length - name.length) > limit) continue
    const found = distance(name.toLowerCase(), other.toLowerCase())
    if (found > limit || found > (best?.distance ?? limit)) continue
    isTie = best?.distance === found && best.name !== other
    best = { name: other, distance: found }
  }
  return isTie ? undefined : best?.name
}

/** How many letters have to be put in, taken out or exchanged. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}
