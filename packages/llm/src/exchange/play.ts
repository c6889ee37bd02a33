import type { BackendAnswer, BackendRequest } from '@stagecraft/spec'

/** Returns a stored answer as a backend would: a listener gets the text in one piece. */
export function play(answer: BackendAnswer, { onText, signal }: BackendRequest): BackendAnswer {
  signal?.throwIfAborted()
  if (answer.text !== '') onText?.(answer.text)
  return answer
}
