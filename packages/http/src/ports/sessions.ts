import type { KeyHolder } from './keys.ts'

/** Knows the sign-ins of the dashboard. */
export interface Sessions {
  /** Returns the holder of the key that a session stands for; undefined once the session or its key has ended. */
  verify(token: string): Promise<KeyHolder | undefined>
}
