import { printJinja } from '../../jinja/jinja-value.ts'
import { asRecord, asText, asTexts } from '../../project/shapes.ts'
import { buildAddress } from '../build-address.ts'
import type { CatalogAddress } from './reach.ts'
import { fieldOf, type Profile } from '../read-profile.ts'

const METHODS = new Set(['none', 'ldap', 'jwt', 'certificate'])

const NOT_HAD: Readonly<Record<string, string>> = {
  kerberos: 'needs a Kerberos ticket',
  gssapi: 'needs a Kerberos ticket',
  oauth: 'opens a browser',
  oauth_console: 'needs a browser',
}

/** The fields that dbt requires too. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  ldap: ['user', 'password'],
  jwt: ['jwt_token'],
  certificate: ['client_certificate', 'client_private_key'],
}

/** https://docs.getdbt.com/docs/core/connect-data-platform/trino-setup */
export function reachTrino(profile: Profile): CatalogAddress {
  const method = fieldOf(profile, 'method') ?? 'none'
  const obstacle = NOT_HAD[method] ?? (METHODS.has(method) ? undefined : 'is not supported')
  if (obstacle !== undefined) {
    const reason = `its authentication "${method}" ${obstacle}; use a target with "method: jwt" and a token`
    return { reason }
  }
  const missing = NEEDED[method]?.find((name) => fieldOf(profile, name) === undefined)
  if (missing !== undefined)
    return { reason: `its method "${method}" needs ${missing}, which the profile does not have` }
  const isSecure = method !== 'none' || fieldOf(profile, 'http_scheme') === 'https'
  const password = method === 'jwt' ? fieldOf(profile, 'jwt_token') : fieldOf(profile, 'password')
  const address = buildAddress({
    scheme: 'trino',
    user: fieldOf(profile, 'user'),
    password: method === 'ldap' || method === 'jwt' ? password : undefined,
    host: fieldOf(profile, 'host') ?? 'localhost',
    port: fieldOf(profile, 'port'),
    path: [fieldOf(profile, 'database', 'catalog')],
    options: {
      secure: `${isSecure}`,
      auth: method === 'jwt' ? 'jwt' : undefined,
      impersonation_user: fieldOf(profile, 'impersonation_user'),
      ...(method === 'certificate' && {
        sslcert: fieldOf(profile, 'client_certificate'),
        sslkey: fieldOf(profile, 'client_private_key'),
      }),
      ...certificateOptions(profile),
      roles: printPairs(profile, 'roles'),
      session_properties: printPairs(profile, 'session_properties'),
      http_headers: printPairs(profile, 'http_headers'),
      client_tags: asTexts(profile.fields['client_tags'])?.join(','),
      timezone: fieldOf(profile, 'timezone'),
    },
  })
  return { addresses: [address] }
}

/** `cert` is the path of trusted certificates, or false to skip the check. */
function certificateOptions({ fields }: Profile): Readonly<Record<string, string | undefined>> {
  const { cert } = fields
  if (cert === false || asText(cert)?.toLowerCase() === 'false') return { verify: 'false' }
  return cert === true || /^true$/i.test(asText(cert) ?? '') ? {} : { sslrootcert: asText(cert) }
}

/** Prints a mapping as `name:value;name:value`, each part escaped as in URLs. */
function printPairs({ fields }: Profile, name: string): string {
  return Object.entries(asRecord(fields[name]))
    .map(([key, value]) => `${encodeURIComponent(key)}:${encodeURIComponent(printJinja(value))}`)
    .join(';')
}
