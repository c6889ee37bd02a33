import { createClient } from '@stagecraft/client'
import { StagecraftError } from '@stagecraft/spec'

// The page was loaded from this address already, so that plain HTTP gives nothing away that was not.
export const client = createClient({ baseUrl: location.origin, session: true, allowHttp: true })

/** Returns true for a call that was refused because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof StagecraftError && error.code === 'UNAUTHORIZED'
}

/** The code of an error, and the request that it answers; empty for errors that no service answered. */
export function factsOf(error: unknown): { readonly code: string; readonly requestId: string } {
  if (!(error instanceof StagecraftError)) return { code: '', requestId: '' }
  const { requestId } = error.details ?? {}
  return { code: error.code, requestId: typeof requestId === 'string' ? requestId : '' }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
