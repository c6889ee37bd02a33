import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { CONNECT_SECONDS } from '../network/connection-failed.ts'
import { httpOrigin } from '../network/http-origin.ts'
import { isSnowflakeHost, oktaOf } from './hosts.ts'

/** The time limit to sign in with a browser. */
const SIGN_IN_SECONDS = 120

/**
 * The methods of the driver:
 * https://docs.snowflake.com/en/developer-guide/node-js/nodejs-driver-authenticate
 */
const AUTHENTICATORS = [
  'snowflake',
  'username_password_mfa',
  'snowflake_jwt',
  'externalbrowser',
  'oauth',
  'oauth_authorization_code',
  'oauth_client_credentials',
  'programmatic_access_token',
  'workload_identity',
  'id_token',
]

/** Returns the method of signing in, as the driver spells it. */
function authenticatorOf(address: Address): string {
  const okta = oktaOf(address)
  if (okta) return okta.origin
  const mode = address.option('authenticator') ?? 'snowflake'
  if (AUTHENTICATORS.includes(mode.toLowerCase())) return mode.toUpperCase()
  throw StagecraftError.invalid({
    path: 'authenticator',
    expected: `one of ${AUTHENTICATORS.join(', ')}, or https://<name>.okta.com`,
    received: mode,
  })
}

/** @throws {StagecraftError} INVALID_REQUEST for an address without any way to sign in. */
export function assertCredentials({ option, password }: Address): void {
  if (password() !== undefined || option('authenticator') !== undefined) return
  const expected = 'a way to sign in: private_key_path, authenticator and token, or a password'
  const suggestion = 'a key pair needs no package, and Snowflake prefers it for services'
  throw StagecraftError.invalid({ path: 'catalog', expected, received: 'none' }, { suggestion })
}

/** Options of an address that the driver also has, in camel case. */
const PASSED = [
  'passcode',
  'token',
  'role',
  'warehouse',
  'oauthClientId',
  'oauthClientSecret',
  'workloadIdentityProvider',
]

export function optionsOf(address: Address, seconds: number): Readonly<Record<string, unknown>> {
  const { host, option, path, port, user } = address
  if (!isSnowflakeHost(host)) {
    const expected = 'a host of snowflakecomputing.com for this method of signing in'
    throw StagecraftError.invalid({ path: 'catalog', expected, received: host })
  }
  const { hostname } = httpOrigin(address, { isSecure: true }) // refuses a path in the host, which could have the same ending
  const entra = option('workload_identity_entra_resource')
  const passed = PASSED.map((name) => [
    name,
    option(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  ])
  return {
    account: option('account') ?? host.split('.')[0],
    accessUrl: `https://${hostname}:${port}`,
    username: user,
    password: address.password(),
    authenticator: authenticatorOf(address),
    ...Object.fromEntries(passed.filter(([, value]) => value !== undefined)),
    ...(entra !== undefined && { workloadIdentityAzureEntraIdResource: entra }),
    database: path[0],
    schema: path[1],
    application: 'stagecraft',
    timeout: seconds * 1000,
    retryTimeout: 0, // otherwise it repeats failed requests for minutes
    sfRetryMaxLoginRetries: 1,
    browserActionTimeout: SIGN_IN_SECONDS * 1000,
    loginTimeout: CONNECT_SECONDS,
    fetchAsString: ['Date', 'JSON', 'Buffer'],
  }
}
