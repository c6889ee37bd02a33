import { StagecraftError } from '@stagecraft/spec'

/** The members of the app that are used. */
interface Listener {
  listen(options: { readonly host: string; readonly port: number }): Promise<string>
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses that port',
  EACCES: 'this user has no permission to use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'no such host',
}

/**
 * Listens, and returns the address.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an address that cannot be listened on.
 */
export async function listen(
  app: Listener,
  options: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await app.listen(options)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = REASONS[code]
    if (reason === undefined) throw error
    const received = `${options.host}:${options.port}`
    const expected = 'an address to listen on'
    throw new StagecraftError('INVALID_REQUEST', `expected ${expected}, got ${received}: ${reason}`, {
      cause: error,
      details: { faults: [{ path: 'port', expected, received }] },
    })
  }
}
