import type { PoolConfig } from 'pg'
import { StagecraftError } from '@stagecraft/spec'
import type { Environment } from '../aws/find-keys.ts'
import type { Address } from '../network/address.ts'
import { CONNECT_SECONDS, QUERY_SECONDS } from '../network/connection-failed.ts'
import type { SocketFactory } from '../network/socket.ts'
import { quoteName } from '../warehouse/statement.ts'
import type { Login } from './iam.ts'

export interface RedshiftOptions {
  /**
   * `redshift://user:password@host:5439/database/schema`; with TLS, unless `?sslmode=disable`. With
   * `?method=iam`, AWS provides the password.
   */
  readonly text: string
  /** Cancels the running statement, also in the warehouse. */
  readonly signal?: AbortSignal | undefined
  /** Creates the sockets. @default the sockets of pg */
  readonly socket?: SocketFactory | undefined
  /** Sends the requests to AWS. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The variables with AWS keys and `AWS_ENDPOINT_URL_REDSHIFT`. @default those of this process */
  readonly environment?: Environment
}

/** Returns the configuration of the driver. */
export function configOf(address: Address, { password, user }: Login): PoolConfig {
  return {
    host: address.host,
    port: address.port,
    user,
    password,
    database: address.path[0],
    ssl: usesTls(address),
    application_name: 'stagecraft',
    max: 3,
    connectionTimeoutMillis: CONNECT_SECONDS * 1000,
    query_timeout: (QUERY_SECONDS + CONNECT_SECONDS) * 1000, // for a cluster that no longer answers at all
    allowExitOnIdle: true,
  }
}

/**
 * Returns the statements before each one of the catalog:
 * https://docs.aws.amazon.com/redshift/latest/dg/r_BEGIN.html and r_statement_timeout.html
 */
export function beginning(address: Address): string {
  const role = address.option('role')
  return [
    ...(role === undefined ? [] : [`set role ${quoteName(role, 'redshift')}`]),
    'begin read only',
    `set local statement_timeout to ${QUERY_SECONDS * 1000}`,
  ].join('; ')
}

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const

/** Returns true if the address uses TLS. As in dbt's driver, every mode except `disable` checks certificates. */
function usesTls(address: Address): boolean {
  const mode = address.option('sslmode') ?? 'verify-full'
  if ((MODES as readonly string[]).includes(mode)) return mode !== 'disable'
  throw StagecraftError.invalid({
    path: 'sslmode',
    expected: `one of ${MODES.join(', ')}`,
    received: `"${mode}"`,
  })
}
