import { type Fault, StagecraftError } from '@stagecraft/spec'

interface Selection {
  /** Names and patterns. Default: all. */
  readonly select?: readonly string[] | undefined
  /** Names and patterns to leave out. Default: none. */
  readonly exclude?: readonly string[] | undefined
}

/**
 * Selects names: `raw.stripe.payments`, `raw.stripe.*`, in any case. A star stands for any characters.
 *
 * @throws {StagecraftError} INVALID_REQUEST with every pattern that selects nothing.
 */
export function selectNames(
  names: readonly string[],
  { exclude = [], select = ['*'] }: Selection,
): readonly string[] {
  const patterns = select.map(toPattern)
  const faults = patterns.flatMap((pattern, index): readonly Fault[] =>
    names.some(pattern)
      ? []
      : [
          {
            path: `select.${index}`,
            expected: 'the name of a scanned table, or a pattern of some: raw.stripe.*',
            received: JSON.stringify(select[index]),
          },
        ],
  )
  if (faults.length > 0) throw StagecraftError.invalid(faults)
  const others = exclude.map(toPattern)
  return names.filter(
    (name) => patterns.some((pattern) => pattern(name)) && !others.some((other) => other(name)),
  )
}

type Pattern = (name: string) => boolean

/** Looks for each part behind the one before, which takes time in proportion to the name. */
function toPattern(text: string): Pattern {
  const [first = '', ...rest] = text.toLowerCase().split('*')
  const last = rest.pop()
  return (name) => {
    const lower = name.toLowerCase()
    if (last === undefined) return lower === first
    if (!lower.startsWith(first)) return false
    let at = first.length
    for (const part of rest) {
      const found = lower.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return lower.length - last.length >= at && lower.endsWith(last)
  }
}
