import { type Fault, StagecraftError } from '@stagecraft/spec'

/**
 * The error for an id that is not there, or is of another project: nobody can tell which.
 *
 * @param path Where the request has it. Default: where ids of that kind stand, `unitId`.
 */
export function notFound(what: string, id: string, path = `${what}Id`): StagecraftError {
  const received = JSON.stringify(id.slice(0, 100))
  return new StagecraftError('NOT_FOUND', `there is no ${what} ${id.slice(0, 100)}`, {
    details: { faults: [{ path, expected: 'an id of this project', received }] },
  })
}

/** The error for `If-Match` of a version that is no more. */
export function versionConflict(
  what: string,
  { current, asked }: { readonly current: number; readonly asked: number },
): StagecraftError {
  const suggestion = 'get it again, and change that'
  return new StagecraftError(
    'INVALID_REQUEST',
    `the ${what} was changed meanwhile: expected version ${current}, got ${asked}; ${suggestion}`,
    {
      details: {
        reason: 'version',
        faults: [{ path: 'headers.if-match', expected: `"v${current}"`, received: `"v${asked}"` }],
        suggestion,
      },
    },
  )
}

/** The error for members of a request that only the store can tell to be wrong. */
export function invalid(
  faults: readonly [Fault, ...Fault[]],
  details: Readonly<Record<string, unknown>> = {},
): StagecraftError {
  const lines = faults.map(
    ({ expected, path, received }) =>
      `${path === '' ? '' : `${path}: `}expected ${expected}, got ${received}`,
  )
  return new StagecraftError('INVALID_REQUEST', lines.join('; '), { details: { ...details, faults } })
}
