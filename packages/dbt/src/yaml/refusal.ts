import type { EditOutcome, EditPlace, YamlText } from './yaml-edit.ts'

/** The error of an unsafe edit. It never leaves this folder: callers get an outcome. */
export class Refusal extends Error {
  readonly offset: number

  /** @param offset The place of the obstacle in the text. */
  constructor(reason: string, offset: number) {
    super(reason)
    this.name = 'Refusal'
    this.offset = offset
  }
}

/** The error of an edit where a person wrote something else. */
export class Kept extends Refusal {}

function placeOf({ message, offset }: Refusal, path: string, text: string): EditPlace {
  return { path, line: text.slice(0, offset).split('\n').length, reason: message }
}

/** Runs work and converts a refusal to an outcome. */
export function attempt<Result extends object>({ path, text }: YamlText, work: () => Result): Result | Ended {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error instanceof Kept ? 'kept' : 'refused', ...placeOf(error, path, text) }
  }
}

export type Ended = Extract<EditOutcome, { readonly status: 'kept' | 'refused' }>
