import { StagecraftError } from '@stagecraft/spec'
import { type Address, parseAddress } from '../network/address.ts'
import { httpOrigin } from '../network/http-origin.ts'
import { DATABRICKS } from '../network/servers.ts'

/** A SQL warehouse of a workspace, and the credentials for it. */
export interface DatabricksPlace {
  readonly address: Address
  /** `https://adb-1.azuredatabricks.net` */
  readonly origin: string
  readonly warehouseId: string
  /** The workspace, if one host serves several: `?o=…` in the HTTP path. */
  readonly workspaceId: string | undefined
  readonly catalog: string
  /** The schema to list; undefined for all. */
  readonly schema: string | undefined
  readonly credentials: Credentials
}

/** Secrets are functions, so that printing the place never shows them. */
type Credentials =
  | { readonly kind: 'token'; readonly token: () => string }
  | { readonly kind: 'client'; readonly clientId: string; readonly clientSecret: () => string }

/**
 * Parses the address of a SQL warehouse.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the missing part, without secrets.
 */
export function readPlace(text: string): DatabricksPlace {
  const address = parseAddress(text, DATABRICKS)
  const [catalog, schema, ...rest] = address.path
  if (catalog === undefined || rest.length > 0)
    throw fault('databricks://…/catalog or databricks://…/catalog/schema', `${address.path.length} names`)
  const path = address.option('http_path') ?? ''
  return {
    address,
    origin: httpOrigin(address, { isSecure: true }).origin, // never without TLS: secrets are sent there
    ...readHttpPath(path),
    catalog,
    schema,
    credentials: readCredentials(address),
  }
}

/** Reads a path such as `/sql/1.0/warehouses/1a2b`. Older paths have `endpoints`. */
function readHttpPath(path: string): Pick<DatabricksPlace, 'warehouseId' | 'workspaceId'> {
  const [, warehouseId, query] = /\/(?:warehouses|endpoints)\/([\w-]+)\/?(?:\?(.*))?$/.exec(path) ?? []
  if (warehouseId !== undefined)
    return { warehouseId, workspaceId: new URLSearchParams(query).get('o') ?? undefined }
  const isCluster = path.includes('protocolv1')
  throw fault(
    'http_path=/sql/1.0/warehouses/… of a SQL warehouse',
    path === '' ? 'nothing' : isCluster ? 'the path of a cluster' : 'another path',
  )
}

function readCredentials(address: Address): Credentials {
  const clientId = address.option('client_id')
  const clientSecret = address.option('client_secret')
  if (clientId !== undefined && clientSecret !== undefined)
    return { kind: 'client', clientId, clientSecret: () => clientSecret }
  const token = address.option('token') ?? address.password()
  if (token !== undefined) return { kind: 'token', token: () => token }
  throw fault(
    'a token (databricks://token:…@…) or client_id= and client_secret= of a service principal',
    clientId === undefined ? 'neither' : 'only client_id',
  )
}

function fault(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: 'catalog', expected, received })
}
