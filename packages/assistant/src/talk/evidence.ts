import { lineOf } from '@stagecraft/analysis'
import { hashText } from '@stagecraft/dbt'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'

/** A line of a file that a tool result of a conversation named, with a hash of what stood in it. */
export interface SeenLine {
  readonly file: string
  readonly line: number
  readonly hash: string
}

/** A place of a file, from 1. */
export interface Place {
  readonly file: string
  readonly line: number
}

/** The lines that tool results of a conversation named: nothing else can be cited. */
export class Evidence {
  readonly #lines = new Map<string, SeenLine>()

  constructor(known: readonly SeenLine[] = []) {
    for (const seen of known) this.#lines.set(keyOf(seen), seen)
  }

  /** Notes all places in a tool result, as the project has them now. */
  add(view: ProjectView, result: unknown): void {
    for (const place of placesIn(result)) {
      const text = textAt(view, place)
      if (text !== undefined) this.#lines.set(keyOf(place), { ...place, hash: hashText(text) })
    }
  }

  /** Returns the line of a place as it is now; undefined if no result named it, or it is gone or another by now. */
  check(view: ProjectView, place: Place): string | undefined {
    const seen = this.#lines.get(keyOf(place))
    const text = seen && textAt(view, place)
    return text !== undefined && hashText(text) === seen?.hash ? cleanText(text.trim()) : undefined
  }

  get lines(): readonly SeenLine[] {
    return [...this.#lines.values()]
  }
}

function keyOf({ file, line }: Place): string {
  return `${line} ${file}`
}

/** A file whose text is not kept, such as a seed, has its lines by name alone. */
function textAt({ configText, project }: ProjectView, { file, line }: Place): string | undefined {
  if (file === 'stagecraft.yml' && configText !== undefined) return configText.split(/\r?\n/)[line - 1]
  const source = project.files.get(file)
  if (source) return line >= 1 && line <= source.lineStarts.length ? lineOf(source, line) : undefined
  return project.index.models.some(({ path }) => path === file) ? '' : undefined
}

/** The objects with `file` and `line`, wherever they are. */
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
