/** Matches a conflict that git or `--conflict markers` left, from its first to its last marker. */
const CONFLICT = /^<{7} [^]*^>{7} /m

/** Returns the line of the first conflict marker in a file, from 1; undefined without any. */
export function findMarkers(text: string | undefined): number | undefined {
  const found = text === undefined ? null : CONFLICT.exec(text)
  return found ? found.input.slice(0, found.index).split('\n').length : undefined
}
