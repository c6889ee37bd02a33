import type { EditOutcome, EditPlace, YamlText } from './yaml-edit.ts'

/** Ends an edit that cannot be done without harm. It never leaves this folder: callers get an outcome. */
export class Refusal extends Error {
  readonly offset: number

  /** @param offset Where in the text the obstacle stands. */
  constructor(reason: string, offset: number) {
    super(reason)
    this.name = 'Refusal'
    this.offset = offset
  }
}

/** Ends an edit because a person wrote something else in its place. */
export class Kept extends Refusal {}

function placeOf({ message, offset }: Refusal, path: string, text: string): EditPlace {
  return { path, line: text.slice(0, offset).split('\n').length, reason: message }
}

/** Does the work; a refusal becomes an outcome. */
export function attempt<Result extends object>({ path, text }: YamlText, work: () => Result): Result | Ended {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error instanceof Kept ? 'kept' : 'refused', ...placeOf(error, path, text) }
  }
}

export type Ended = Extract<EditOutcome, { readonly status: 'kept' | 'refused' }>
