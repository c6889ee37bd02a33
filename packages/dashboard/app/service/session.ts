import type { OperationData, Scope } from '@stagecraft/spec/api'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export type Session = OperationData<'getSession'>

interface SessionState {
  readonly session: Session | undefined
  /** True while the service does not answer. */
  readonly isLost: boolean
  /** Shows the sign-in over the page after the session has ended. */
  readonly signedOut: () => void
  /** Shows only the sign-in after a sign-out. */
  readonly leave: () => void
  readonly signedIn: (session: Session) => void
  /** Shows a message at the edge of the page. */
  readonly say: (text: string) => void
}

export const SessionContext = createContext<SessionState>({
  session: undefined,
  isLost: false,
  signedOut: () => undefined,
  leave: () => undefined,
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
