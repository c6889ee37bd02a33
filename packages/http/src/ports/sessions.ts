import type { KeyHolder } from './keys.ts'

/** The sessions of the dashboard. */
export interface Sessions {
  /** Returns the holder of a session's key; undefined once the session or its key has ended. */
  verify(token: string): Promise<KeyHolder | undefined>
}
