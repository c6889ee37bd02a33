import { join, resolve } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { keyProblem } from './key-problem.ts'

/** The environment variables for opening a service with a store. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface DataFlags {
  readonly data?: string
}

export interface ServiceSettings {
  /** PostgreSQL, or a file in the data folder. */
  readonly store: { readonly url: string } | { readonly file: string }
  readonly folder: string
  readonly keyFile: string
  readonly secretKeys: string | undefined
  readonly adminKey: string | undefined
  readonly allowLocalFiles: boolean
  readonly deliveryPolicy: { readonly allowCidrs: readonly string[]; readonly allowHttp: boolean }
  /** The networks of connections; undefined for the service's default. */
  readonly connectionNetworks: readonly string[] | undefined
}

const DEFAULT_FOLDER = '.stagecraft/data'

/** @throws {StagecraftError} INVALID_REQUEST for invalid variables, by name only. */
export function readServiceSettings({ data }: DataFlags, environment: Environment): ServiceSettings {
  const folder = resolve(data ?? environment['STAGECRAFT_DATA'] ?? DEFAULT_FOLDER)
  const url = readDatabaseUrl(environment['DATABASE_URL'])
  const networks = readList('STAGECRAFT_CONNECTION_NETWORKS', environment)
  return {
    store: url === undefined ? { file: join(folder, 'stagecraft.db') } : { url },
    folder,
    keyFile: join(folder, 'secret.key'),
    secretKeys: environment['STAGECRAFT_SECRET_KEY'],
    adminKey: readAdminKey(environment['STAGECRAFT_ADMIN_KEY']),
    // A shared store usually serves many people.
    allowLocalFiles: readSwitch('STAGECRAFT_ALLOW_LOCAL', environment) ?? url === undefined,
    deliveryPolicy: {
      allowCidrs: readList('STAGECRAFT_WEBHOOK_ALLOW_CIDRS', environment),
      allowHttp: readSwitch('STAGECRAFT_WEBHOOK_ALLOW_HTTP', environment) ?? false,
    },
    connectionNetworks: networks.length === 0 ? undefined : networks,
  }
}

/** The key opens the whole first project, so a guessable one is refused. */
function readAdminKey(text: string | undefined): string | undefined {
  const key = text?.trim() ?? ''
  if (key === '') return undefined
  const problem = keyProblem(key)
  if (problem) throw StagecraftError.invalid({ path: 'STAGECRAFT_ADMIN_KEY', ...problem })
  return key
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) return text
  throw invalid('DATABASE_URL', 'postgres://user:password@host:5432/database', 'something else')
}

function readList(name: string, environment: Environment): readonly string[] {
  return (environment[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function readSwitch(name: string, environment: Environment): boolean | undefined {
  const text = environment[name]?.trim().toLowerCase() ?? ''
  if (text === '') return undefined
  if (['1', 'true', 'yes'].includes(text)) return true
  if (['0', 'false', 'no'].includes(text)) return false
  throw invalid(name, '1 or 0', JSON.stringify(text.slice(0, 20)))
}

function invalid(path: string, expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path, expected, received })
}
