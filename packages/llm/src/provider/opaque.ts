import type { AssistantTurn } from '@stagecraft/spec'
import { type Fields, isFields } from './shapes.ts'
import { Unanswered } from './unanswered.ts'

/** Returns the raw turn of the model. Only its outer form is checked; the rest belongs to the provider. */
export function opaqueList({ opaque }: AssistantTurn): readonly unknown[] {
  if (!Array.isArray(opaque)) throw foreignTurn()
  return opaque
}

export function opaqueObject({ opaque }: AssistantTurn): Fields {
  if (!isFields(opaque)) throw foreignTurn()
  return opaque
}

function foreignTurn(): Unanswered {
  return new Unanswered('bad_request', 'an assistant turn comes from another backend')
}
