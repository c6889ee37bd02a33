import type { OperationData, Scope } from '@stagecraft/spec/api'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type Session = OperationData<'getSession'>

interface SessionState {
  readonly session: Session | undefined
  /** Shows the sign-in: the session has ended. */
  readonly signedOut: () => void
  readonly signedIn: (session: Session) => void
  /** Says a sentence at the edge of the page. */
  readonly say: (text: string) => void
}

export const SessionContext = createContext<SessionState>({
  session: undefined,
  signedOut: () => undefined,
  signedIn: () => undefined,
  say: () => undefined,
})

export function useSession(): SessionState {
  return useContext(SessionContext)
}

/** Returns true if the key of the session has a scope. */
export function useMay(scope: Scope): boolean {
  return useSession().session?.scopes.includes(scope) ?? false
}
