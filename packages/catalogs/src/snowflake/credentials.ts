import { createHash, createPrivateKey, createPublicKey, createSign, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { StagecraftError } from '@stagecraft/spec'
import { fileFailed } from '../files/file-failed.ts'
import type { Address } from '../network/address.ts'
import { httpOrigin } from '../network/http-origin.ts'
import { requestJson } from '../network/http-json.ts'
import { refused } from '../network/connection-failed.ts'
import { isThisMachine } from './hosts.ts'

/** Returns the headers of a request, which contain a secret. */
export type Authorize = (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>

/** The types of tokens: https://docs.snowflake.com/en/developer-guide/sql-api/authenticating */
type TokenType = 'KEYPAIR_JWT' | 'OAUTH' | 'PROGRAMMATIC_ACCESS_TOKEN'

/** The lifetime of a token, less than the maximum of an hour, so that it does not expire on the way. */
const JWT_SECONDS = 3000

/**
 * Returns the authentication of requests to the SQL API; undefined for modes that only the driver supports.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a key that cannot be read. The message does not contain any
 * of it.
 */
export async function authorize(
  address: Address,
  fetch?: typeof globalThis.fetch,
): Promise<Authorize | undefined> {
  const { option, password } = address
  const mode = option('authenticator')?.toLowerCase()
  const token = option('token')
  if (option('private_key') !== undefined || option('private_key_path') !== undefined) return keyPair(address)
  if (mode === 'programmatic_access_token') {
    const pat = token ?? password()
    if (pat === undefined) throw missing('token', 'a programmatic access token')
    return async () => headers('PROGRAMMATIC_ACCESS_TOKEN', pat)
  }
  const isToken = mode === 'oauth' || mode === 'jwt' || (mode === undefined && token !== undefined)
  if (!isToken) return undefined // the token of a workload is no token of OAuth
  if (token === undefined) throw missing('token', 'an OAuth token')
  const client = { id: option('oauth_client_id'), secret: option('oauth_client_secret') }
  if (mode === 'jwt' || client.id === undefined || client.secret === undefined)
    return async () => headers('OAUTH', token)
  return refreshed(address, { token, id: client.id, secret: client.secret, fetch })
}

function headers(type: TokenType, token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}`, 'x-snowflake-authorization-token-type': type }
}

async function keyPair(address: Address): Promise<Authorize> {
  const { user } = address
  if (user === undefined) throw missing('user', 'the user of the key')
  const key = await readKey(address)
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const fingerprint = `SHA256:${createHash('sha256').update(der).digest('base64')}`
  const subject = `${accountOf(address)}.${user}`.toUpperCase()
  return async () => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: `${subject}.${fingerprint}`, sub: subject, iat: now, exp: now + JWT_SECONDS }
    return headers('KEYPAIR_JWT', sign(claims, key))
  }
}

function sign(claims: object, key: KeyObject): string {
  const parts = [{ alg: 'RS256', typ: 'JWT' }, claims]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`
}

/**
 * Returns the account without its region, as a token needs it:
 * https://docs.snowflake.com/en/developer-guide/sql-api/authenticating
 */
function accountOf({ host, option }: Address): string {
  const account = option('account') ?? host.replace(/\.snowflakecomputing\.(?:com|cn)$/i, '')
  const [name = '', ...rest] = account.split('.')
  return rest.includes('global') ? name.replace(/-[^-]*$/, '') : name
}

/** Reads a key as PEM, or as DER in base64, like dbt. */
async function readKey({ option }: Address): Promise<KeyObject> {
  const path = option('private_key_path')
  const text =
    path === undefined
      ? (option('private_key') ?? '')
      : await readFile(path, 'utf8').catch((error: unknown) => {
          throw fileFailed(error, path)
        })
  const passphrase = option('private_key_passphrase')
  const secret = passphrase === undefined ? {} : { passphrase }
  const isPem = text.includes('-----BEGIN')
  try {
    if (isPem) return createPrivateKey({ key: text, format: 'pem', ...secret })
    return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8', ...secret })
  } catch {
    // the error of the library may quote the key
    throw unreadableKey(path === undefined ? 'private_key' : 'private_key_path', {
      isEncrypted: isPem && /ENCRYPTED/.test(text),
      hasPassphrase: passphrase !== undefined,
    })
  }
}

function unreadableKey(
  path: string,
  { hasPassphrase, isEncrypted }: { readonly isEncrypted: boolean; readonly hasPassphrase: boolean },
): StagecraftError {
  const expected =
    'a private RSA key in PKCS #8, as PEM or base64, and its private_key_passphrase if it has one'
  const received = !isEncrypted
    ? 'something else'
    : hasPassphrase
      ? 'a key that this private_key_passphrase does not open'
      : 'an encrypted key without private_key_passphrase'
  return StagecraftError.invalid({ path, expected, received })
}

interface Refresh {
  /** The refresh token. */
  readonly token: string
  readonly id: string
  readonly secret: string
  readonly fetch: typeof globalThis.fetch | undefined
}

/**
 * Gets an access token for the refresh token of a profile:
 * https://docs.snowflake.com/en/user-guide/oauth-custom
 */
function refreshed(address: Address, { fetch, id, secret, token }: Refresh): Authorize {
  let current: Promise<string> | undefined
  const requestToken = async (signal: AbortSignal): Promise<string> => {
    const url = new URL('oauth/token-request', httpOrigin(address, { isSecure: isSecure(address) }))
    const { body } = await requestJson(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }).toString(),
      signal,
      fetch,
    })
    const access: unknown =
      typeof body === 'object' && body !== null ? Reflect.get(body, 'access_token') : undefined
    if (typeof access === 'string') return access
    const reason = 'it returned no access token for this refresh token'
    throw refused({ reason, check: 'token, oauth_client_id and oauth_client_secret' }, address)
  }
  return async (signal) => headers('OAUTH', await (current ??= requestToken(signal)))
}

/** Returns true for HTTPS. Only emulators on this machine may use HTTP, because requests contain secrets. */
export function isSecure({ host, option }: Address): boolean {
  if (option('protocol') !== 'http') return true
  if (isThisMachine(host)) return false
  throw StagecraftError.invalid({ path: 'protocol', expected: 'https', received: 'http' })
}

function missing(path: string, expected: string): StagecraftError {
  return StagecraftError.invalid({ path, expected, received: 'nothing' })
}
