import { StagecraftError } from '@stagecraft/spec'

/** The address of a database server and the user, without the password. */
export interface Address {
  /** The engine's name, for messages: `PostgreSQL`. */
  readonly engine: string
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly database: string | undefined
  /** The names after the host: database and schema. */
  readonly path: readonly string[]
  /** Returns the password; a function, so that printing the address never shows it. */
  readonly password: () => string | undefined
  /** Returns the option of that name, which may be a secret; undefined if it is missing or empty. */
  readonly option: (name: string) => string | undefined
  /** Returns true if a text contains the password, so it must not be shown. */
  readonly holdsSecret: (text: string) => boolean
}

export interface AddressDefaults {
  readonly engine: string
  /** The form of a connection string: `postgres://user:password@host:5432/database`. */
  readonly form: string
  readonly port: number
  /** Returns the host that connections go to. Default: the host of the address. */
  readonly serverOf?: (address: Pick<Address, 'host' | 'option'>) => string
  /**
   * If the address has no password, the driver uses credentials of the current user: from the environment or home
   * folder. Default false.
   */
  readonly borrows?: true
  /** Without a database in the address, it is that of the current user: of a setting or a file. Default false. */
  readonly borrowsDatabase?: true
  /** Options that hold secrets, besides `password`: `token`. Default: none. */
  readonly secrets?: readonly string[]
  /** Options and their values with which the driver signs in as the user of this machine. Default: none. */
  readonly ownIdentities?: Readonly<Record<string, readonly string[]>>
  /** Options that together identify another user. Default: none. */
  readonly ownKeys?: readonly string[]
  /** The hosts of the vendor, which may receive the identity of the current user. Default: unknown. */
  readonly vendorHosts?: RegExp
  /** Options that name files: `private_key_path`. Default: the ones of pg and mysql2. */
  readonly files?: readonly string[]
  /** Returns the hosts outside the vendor's domain that receive a secret. Default: unknown. */
  readonly chosenHosts?: (address: Pick<Address, 'host' | 'option'>) => readonly string[]
  /** The environment variable with the password for an address without one. Default: none. */
  readonly passwordVariable?: string
}

/**
 * Parses a connection string.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a string that is not an address. The message does not repeat
 * the string, which may contain a password.
 */
export function parseAddress(
  text: string,
  { engine, form, passwordVariable, port, secrets: hidden = [] }: AddressDefaults,
): Address {
  const url = URL.parse(text)
  // a password with an unescaped `/`, `?` or `#` ends the host early, and leaves the `@` after it
  const isTorn = url && `${url.pathname}${url.search}${url.hash}`.includes('@')
  const parts = url && !isTorn && !repeatsOption(url) ? decodeParts(url) : undefined
  if (!parts) throw invalidAddress(engine, form)
  const option = (name: string): string | undefined => url?.searchParams.get(name) || undefined
  const borrowed = passwordVariable === undefined ? undefined : process.env[passwordVariable] || undefined
  const password = parts.secrets.findLast((secret) => secret !== '') ?? borrowed
  const secrets = [...parts.secrets, password ?? '', ...hidden.map((name) => option(name) ?? '')].filter(
    (secret) => secret !== '',
  )
  return {
    engine,
    host: parts.host || 'localhost',
    port: Number(parts.port || port),
    user: parts.user || undefined,
    database: parts.database || undefined,
    path: parts.path,
    password: () => password,
    option,
    holdsSecret: (message) => secrets.some((secret) => message.includes(secret)),
  }
}

/**
 * Returns true if an option is repeated. Drivers differ in which of them they use, so the checked address
 * might not be the opened one.
 */
function repeatsOption({ searchParams }: URL): boolean {
  return new Set(searchParams.keys()).size < searchParams.size
}

interface Parts extends Readonly<Record<'host' | 'port' | 'user' | 'database', string>> {
  readonly secrets: readonly string[]
  readonly path: readonly string[]
}

/** Decodes the parts; undefined for a stray `%`. Host, port and password may also be options, as in pg. */
function decodeParts(url: URL): Parts | undefined {
  const option = (name: string): string => url.searchParams.get(name) ?? ''
  try {
    return {
      host: option('host') || decodeURIComponent(url.hostname),
      port: url.port || option('port'),
      user: decodeURIComponent(url.username) || option('user'),
      database: decodeURIComponent(url.pathname.slice(1)),
      path: url.pathname
        .split('/')
        .slice(1)
        .flatMap((part) => (part === '' ? [] : [decodeURIComponent(part)])),
      secrets: [url.password, decodeURIComponent(url.password), option('password')],
    }
  } catch {
    return undefined
  }
}

function invalidAddress(engine: string, form: string): StagecraftError {
  const suggestion = 'write %23 for #, %2F for /, %3F for ?, %40 for @ and %25 for % in user and password'
  return new StagecraftError(
    'INVALID_REQUEST',
    `catalog: expected an address of ${engine} like ${form}; ${suggestion}`,
    {
      details: { faults: [{ path: 'catalog', expected: form, received: 'something else' }], suggestion },
    },
  )
}
