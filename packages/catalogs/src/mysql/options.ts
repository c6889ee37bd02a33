import { StagecraftError } from '@stagecraft/spec'

/**
 * The options of mysql2 that a connection string can contain:
 * https://sidorares.github.io/node-mysql2/docs/documentation. mysql2 prints the names of unknown options,
 * which may contain a secret.
 */
const OPTIONS = `
  bigNumberStrings charset charsetNumber compress connectTimeout connectionLimit dateStrings decimalNumbers
  disableEval enableCleartextPlugin enableKeepAlive flags gracefulEnd host idleTimeout insecureAuth jsonStrings
  keepAliveInitialDelay localAddress maxIdle maxPreparedStatements multipleStatements password password1
  password2 password3 passwordSha1 port queueLimit resetOnRelease socketPath ssl stringifyObjects
  supportBigNumbers timezone trace user waitForConnections
`
  .trim()
  .split(/\s+/)

/** Patterns of options of other drivers, with their replacements. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [
    /ssl|tls|cert/i,
    'write ssl={"rejectUnauthorized":true}, escaped, for TLS, with "ca" for your own certificate authority',
  ],
  [/zone/i, 'write timezone=Z'],
  [/^database$|^db|schema/i, 'write the database after the host'],
]

/**
 * Refuses options that mysql2 does not know, and `debug`, with which it prints everything that it reads.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the name of the first faulty option, unless the name may be
 * part of a secret.
 */
export function assertOptions(uri: string): void {
  const names = [...(URL.parse(uri)?.searchParams.keys() ?? [])]
  if (names.includes('debug')) {
    const expected = 'an address without debug, which prints everything that is read'
    throw StagecraftError.invalid({ path: 'debug', expected, received: 'debug' })
  }
  const unknown = names.find((name) => !OPTIONS.includes(name))
  if (unknown === undefined) return
  const isPlain = /^[\w.-]{1,40}$/.test(unknown)
  const [, instead = `leave it out, or write one of ${OPTIONS.join(', ')}`] =
    INSTEAD.find(([pattern]) => pattern.test(unknown)) ?? []
  throw StagecraftError.invalid(
    { path: 'catalog', expected: 'options of mysql2', received: isPlain ? unknown : 'another name' },
    { suggestion: instead },
  )
}
