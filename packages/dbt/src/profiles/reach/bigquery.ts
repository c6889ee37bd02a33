import { resolve } from 'node:path'
import { asRecord } from '../../project/shapes.ts'
import { buildAddress } from '../build-address.ts'
import type { AddressOptions, CatalogAddress } from './reach.ts'
import { fieldOf, type Profile } from '../read-profile.ts'

const HOST = 'bigquery.googleapis.com'
const GOOGLE_TOKEN = /^https:\/\/(?:oauth2|accounts|www)\.google(?:apis)?\.com\//

type Options = Readonly<Record<string, string | undefined>>

/** The credentials of each method: https://docs.getdbt.com/docs/core/connect-data-platform/bigquery-setup */
const METHODS: Readonly<Record<string, (profile: Profile, options: AddressOptions) => Options>> = {
  oauth: () => ({}),
  'oauth-secrets': (profile) => ({
    token: fieldOf(profile, 'token'),
    refresh_token: fieldOf(profile, 'refresh_token'),
    client_id: fieldOf(profile, 'client_id'),
    client_secret: fieldOf(profile, 'client_secret'),
  }),
  'service-account': (profile, { projectFolder }) => {
    const path = fieldOf(profile, 'keyfile')
    return { keyfile: path === undefined ? undefined : resolve(projectFolder, path) }
  },
  'service-account-json': (profile) => ({ keyfile_json: keyOf(profile) }),
}

/** The fields that a method cannot do without; of `oauth-secrets`, unless there is a token. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'oauth-secrets': ['refresh_token', 'client_id', 'client_secret'],
  'service-account': ['keyfile'],
  'service-account-json': ['keyfile_json'],
}

function hasField(profile: Profile, name: string): boolean {
  return fieldOf(profile, name) !== undefined || Object.keys(asRecord(profile.fields[name])).length > 0
}

/** A key is a mapping in the file, or a text in Base64. */
function keyOf(profile: Profile): string | undefined {
  const text = fieldOf(profile, 'keyfile_json')
  if (text !== undefined) return text
  const key = asRecord(profile.fields['keyfile_json'])
  return Object.keys(key).length === 0 ? undefined : Buffer.from(JSON.stringify(key)).toString('base64')
}

/**
 * Returns the address of a BigQuery profile, whose project is read over REST. Without a project, the catalog finds that
 * of the default credentials, like dbt.
 */
export function reachBigquery(profile: Profile, options: AddressOptions): CatalogAddress {
  const project = fieldOf(profile, 'project', 'database')
  const method = fieldOf(profile, 'method') ?? 'oauth'
  const credentials = METHODS[method]
  if (!credentials)
    return {
      reason: `its method "${method}" is not one of ${Object.keys(METHODS).join(', ')}; get a token with gcloud auth print-access-token, and give --catalog 'bigquery://${HOST}/${project ?? '<project>'}?token=<token>'`,
    }
  const tokenUri = fieldOf(profile, 'token_uri')
  if (tokenUri !== undefined && !GOOGLE_TOKEN.test(tokenUri))
    return {
      reason: 'its token_uri is not a Google address, and secrets are sent nowhere else; use a token instead',
    }
  // without them, the catalog would sign in as the user of this machine
  const missing = NEEDED[method]?.find((name) => !hasField(profile, name))
  if (missing !== undefined && !(method === 'oauth-secrets' && hasField(profile, 'token')))
    return { reason: `its method "${method}" needs ${missing}, which the profile does not have` }
  const endpoint = fieldOf(profile, 'api_endpoint')
  const url =
    endpoint === undefined
      ? undefined
      : URL.parse(endpoint.includes('://') ? endpoint : `https://${endpoint}`)
  return {
    addresses: [
      buildAddress({
        scheme: 'bigquery',
        user: undefined,
        password: undefined,
        host: url?.hostname ?? HOST,
        port: url?.port === '' ? undefined : url?.port,
        path: [project],
        options: {
          ...credentials(profile, options),
          execution_project: fieldOf(profile, 'execution_project'),
          location: fieldOf(profile, 'location'),
          impersonate_service_account: fieldOf(profile, 'impersonate_service_account'),
          maximum_bytes_billed: fieldOf(profile, 'maximum_bytes_billed'),
        },
      }),
    ],
  }
}
