import { StagecraftError } from '@stagecraft/spec'

/** Creates the error for an `If-Match` that names another version than the current one. */
export function versionConflict(
  what: string,
  { current, asked }: { readonly current: number; readonly asked: number },
): StagecraftError {
  const suggestion = 'get it again, and change that'
  return new StagecraftError(
    'INVALID_REQUEST',
    `the ${what} has changed since: expected version ${current}, got ${asked}; ${suggestion}`,
    {
      details: {
        reason: 'version',
        faults: [{ path: 'headers.if-match', expected: `"v${current}"`, received: `"v${asked}"` }],
        suggestion,
      },
    },
  )
}
