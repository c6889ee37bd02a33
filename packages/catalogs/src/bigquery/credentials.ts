import { createSign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { BIGQUERY } from '../network/servers.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { requestJson } from '../network/http-json.ts'

// Two documented OAuth flows of Google, with node:crypto and `fetch` instead of an SDK:
// https://developers.google.com/identity/protocols/oauth2/service-account#httprest
// https://developers.google.com/identity/protocols/oauth2/web-server#offline

const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const LIFETIME_SECONDS = 3600

/** The credentials of an address: a token, or the means to get one. */
type Credentials =
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'service_account'; readonly email: string; readonly key: string }
  | {
      readonly type: 'authorized_user'
      readonly clientId: string
      readonly clientSecret: string
      readonly refreshToken: string
    }

export interface TokenOptions {
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Returns a function that returns the token of an address and renews it before it expires.
 *
 * @throws {StagecraftError} INVALID_REQUEST for malformed credentials; CONNECTION_FAILED if Google rejects them.
 */
export async function tokenSource(address: Address, options: TokenOptions): Promise<() => Promise<string>> {
  const credentials = await readCredentials(address, options)
  let current: { readonly token: string; readonly until: number } | undefined
  return async () => {
    if (current && options.now() < current.until) return current.token
    const granted = await grant(credentials, address, options)
    const token = await impersonate(granted.token, address, options)
    // renewed a minute early, because clocks differ
    current = { token, until: options.now() + (granted.seconds - 60) * 1000 }
    return token
  }
}

async function readCredentials(address: Address, { environment }: TokenOptions): Promise<Credentials> {
  const token = address.option('token')
  if (token !== undefined && address.option('refresh_token') === undefined) return { type: 'token', token }
  const text = address.option('keyfile_json')
  if (text !== undefined) return parseKey(decodeKey(text), 'keyfile_json')
  const [refreshToken, clientId, clientSecret] = ['refresh_token', 'client_id', 'client_secret'].map((name) =>
    address.option(name),
  )
  if (refreshToken !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { type: 'authorized_user', clientId, clientSecret, refreshToken }
  assertNoSecret(address)
  assertGoogle(address)
  const path =
    address.option('keyfile') ?? environment['GOOGLE_APPLICATION_CREDENTIALS'] ?? gcloudFile(environment)
  return parseKey(await readKeyFile(path), path)
}

/**
 * Refuses partial credentials, because they are never completed with those of this machine.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an address with a secret.
 */
function assertNoSecret({ option, password }: Address): void {
  const given = (BIGQUERY.secrets ?? []).find((name) => option(name) !== undefined)
  const part = given ?? (password() === undefined ? undefined : 'password')
  if (part !== undefined)
    throw invalid('token, keyfile_json, or refresh_token with client_id and client_secret', part)
}

/**
 * Refuses other hosts than Google's. Someone else may have written the address, and credentials of this
 * machine must not be sent there.
 *
 * @throws {StagecraftError} INVALID_REQUEST for another host.
 */
function assertGoogle({ host }: Address): void {
  if (isGoogle(host)) return
  const suggestion = 'add token= to the address'
  throw invalid('a host of googleapis.com, because credentials of this machine would be sent to it', host, {
    suggestion,
  })
}

export function isGoogle(host: string): boolean {
  return /(?:^|\.)googleapis\.com$/.test(host)
}

/** The folder of gcloud's settings. */
export function gcloudFolder(environment: TokenOptions['environment']): string {
  const { APPDATA: data, CLOUDSDK_CONFIG: folder } = environment
  return folder ?? (data === undefined ? `${homedir()}/.config/gcloud` : `${data}/gcloud`)
}

/** The file that `gcloud auth application-default login` writes. */
export function gcloudFile(environment: TokenOptions['environment']): string {
  return `${gcloudFolder(environment)}/application_default_credentials.json`
}

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const suggestion =
      'run gcloud auth application-default login, or set keyfile to the path of a JSON key, or token to what gcloud auth print-access-token prints'
    throw invalid('credentials of Google', `no file ${path}`, { suggestion, cause })
  }
}

/** Decodes a key in an address, which may be in Base64 because a key has line ends and quotes. */
export function decodeKey(text: string): string {
  return text.trimStart().startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8')
}

/** @throws {StagecraftError} INVALID_REQUEST that names the field, never a value of the key. */
function parseKey(text: string, origin: string): Credentials {
  const key = parseObject(text, origin)
  const field = (name: string): string => {
    const value = key[name]
    if (typeof value === 'string' && value !== '') return value
    throw invalid(`the field ${name} in ${origin}`, 'none')
  }
  const type = field('type')
  if (type === 'service_account')
    return { type, email: field('client_email'), key: field('private_key').replaceAll('\\n', '\n') }
  if (type === 'authorized_user')
    return {
      type,
      clientId: field('client_id'),
      clientSecret: field('client_secret'),
      refreshToken: field('refresh_token'),
    }
  throw invalid(`a key of type service_account or authorized_user in ${origin}`, `"${type}"`, {
    suggestion: 'set token to what gcloud auth print-access-token prints',
  })
}

function parseObject(text: string, origin: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined // the error would repeat the key
  }
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  throw invalid(`a key in JSON in ${origin}`, 'something else')
}

interface Remedy {
  readonly suggestion?: string
  readonly cause?: unknown
}

function invalid(expected: string, received: string, { cause, suggestion }: Remedy = {}): StagecraftError {
  const rest = suggestion === undefined ? '' : `; ${suggestion}`
  return new StagecraftError('INVALID_REQUEST', `catalog: expected ${expected}, got ${received}${rest}`, {
    ...(cause !== undefined && { cause }),
    details: {
      faults: [{ path: 'catalog', expected, received }],
      ...(suggestion !== undefined && { suggestion }),
    },
  })
}

/** Returns the form to request a token. */
function grantOf(
  credentials: Exclude<Credentials, { readonly type: 'token' }>,
  now: number,
): Readonly<Record<string, string>> {
  if (credentials.type === 'service_account')
    return {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(credentials, Math.floor(now / 1000)),
    }
  const { clientId, clientSecret, refreshToken } = credentials
  return {
    grant_type: 'refresh_token',
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
  }
}

/** Creates a JWT, signed with the key of a service account. */
function assertion({ email, key }: { readonly email: string; readonly key: string }, now: number): string {
  const claims = { iss: email, scope: SCOPE, aud: TOKEN_URL, iat: now, exp: now + LIFETIME_SECONDS }
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
  } catch {
    throw invalid('an RSA key in PEM as private_key', 'something else') // the error would quote its bytes
  }
}

interface Granted {
  readonly token: string
  readonly seconds: number
}

async function grant(
  credentials: Credentials,
  address: Address,
  { fetch, now }: TokenOptions,
): Promise<Granted> {
  if (credentials.type === 'token') return { token: credentials.token, seconds: LIFETIME_SECONDS }
  const { body, status } = await requestJson(TOKEN_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(grantOf(credentials, now())).toString(),
    fetch,
  }).catch((error: unknown) => {
    throw connectionFailed(error, { ...address, host: 'oauth2.googleapis.com', port: 443 })
  })
  const {
    access_token: token,
    error,
    error_description: why,
    expires_in: seconds,
  } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (status < 400 && typeof token === 'string')
    return { token, seconds: typeof seconds === 'number' ? seconds : LIFETIME_SECONDS }
  throw refused(
    `Google rejected the credentials: ${[error, why].filter((text) => typeof text === 'string').join(', ')}`,
    address,
  )
}

/** Returns the token of the impersonated account, if the address names one. */
async function impersonate(token: string, address: Address, { fetch }: TokenOptions): Promise<string> {
  const account = address.option('impersonate_service_account')
  if (account === undefined) return token
  const url = `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:generateAccessToken`
  const { body } = await requestJson(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: { scope: [SCOPE], lifetime: `${LIFETIME_SECONDS}s` },
    fetch,
  }).catch((error: unknown) => {
    throw connectionFailed(error, { ...address, host: 'iamcredentials.googleapis.com', port: 443 })
  })
  const { accessToken } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (typeof accessToken === 'string') return accessToken
  throw refused(`no token for ${account}: grant roles/iam.serviceAccountTokenCreator on it`, address)
}

function refused(reason: string, { host, port }: Address): StagecraftError {
  const suggestion = 'check the key file or token, or log in again with gcloud auth application-default login'
  return new StagecraftError(
    'CONNECTION_FAILED',
    `cannot read BigQuery at ${host}:${port}: ${reason}; ${suggestion}`,
    {
      details: { host, port, reason, suggestion },
    },
  )
}
