import { hashText } from '@stagecraft/dbt'
import type { QueryableProject, Place } from '../queryable-project.ts'
import { cleanText } from '../clean-text.ts'

/** A line of a file named by a tool result of the conversation, with a hash of its text. */
export interface SeenLine {
  readonly file: string
  readonly line: number
  readonly hash: string
}

/** Returns the current line of a place; undefined if no result named it, or if it was changed or deleted. */
export type Proof = (place: Place) => string | undefined

/** The lines named by tool results of a conversation; only these can be cited. */
export class Evidence {
  readonly #lines = new Map<string, SeenLine>()

  constructor(known: readonly SeenLine[] = []) {
    for (const seen of known) this.#lines.set(keyOf(seen), seen)
  }

  /** Records all places of a tool result, with their current text. */
  async add(project: QueryableProject, result: unknown): Promise<void> {
    const places = placesIn(result)
    const texts = await project.lines(places)
    for (const [index, place] of places.entries()) {
      const text = texts[index]
      if (text !== undefined) this.#lines.set(keyOf(place), { ...place, hash: hashText(text) })
    }
  }

  /** Reads the current text of all lines. */
  async check(project: QueryableProject): Promise<Proof> {
    const { lines } = this
    const texts = await project.lines(lines)
    const now = new Map(
      lines.flatMap((seen, index): readonly (readonly [string, string])[] => {
        const text = texts[index]
        return text !== undefined && hashText(text) === seen.hash
          ? [[keyOf(seen), cleanText(text.trim())]]
          : []
      }),
    )
    return (place) => now.get(keyOf(place))
  }

  get lines(): readonly SeenLine[] {
    return [...this.#lines.values()]
  }
}

function keyOf({ file, line }: Place): string {
  return `${line} ${file}`
}

/** Finds objects with `file` and `line` at any depth. */
function placesIn(value: unknown): readonly Place[] {
  if (Array.isArray(value)) return value.flatMap(placesIn)
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(placesIn)
  return 'file' in value &&
    'line' in value &&
    typeof value.file === 'string' &&
    typeof value.line === 'number'
    ? [{ file: value.file, line: value.line }, ...inner]
    : inner
}
