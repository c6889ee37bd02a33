import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { isThisMachine } from '../snowflake/hosts.ts'
import { decodeKey, gcloudFile, gcloudFolder, isGoogle } from './credentials.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the project of an address. Without one, it is that of the default credentials, as for dbt: from the
 * environment, the file in it, or `gcloud config`. Then that of the key in the address is tried, which dbt ignores.
 * https://github.com/googleapis/google-auth-library-python/blob/main/google/auth/_default.py
 *
 * @throws {StagecraftError} INVALID_REQUEST if none of them names a project.
 */
export async function projectOf({ host, option, path }: Address, environment: Environment): Promise<string> {
  const [stated] = path
  if (stated !== undefined) return stated
  if (!isGoogle(host) && !isThisMachine(host)) throw missing(`an address of ${host} without one`)
  const named = environment['GOOGLE_CLOUD_PROJECT'] || environment['GCLOUD_PROJECT']
  const logged = await fieldsOf(gcloudFile(environment))
  const inline = option('keyfile_json')
  const key = inline === undefined ? await fieldsOf(option('keyfile')) : parse(decodeKey(inline))
  const found = [
    named,
    (await fieldsOf(environment['GOOGLE_APPLICATION_CREDENTIALS']))?.['project_id'],
    logged && (await configured(environment)),
    key?.['project_id'],
    logged?.['quota_project_id'],
  ].find((one) => typeof one === 'string' && one !== '')
  if (typeof found === 'string') return found
  throw missing('none there, in GOOGLE_CLOUD_PROJECT, in a key file or in gcloud config')
}

function missing(received: string): StagecraftError {
  const expected = 'a project in the address or in the profile'
  const suggestion =
    'set project: in the profile, write bigquery://bigquery.googleapis.com/<project>, or set GOOGLE_CLOUD_PROJECT'
  return StagecraftError.invalid({ path: 'catalog', expected, received }, { suggestion })
}

/** Returns the project of the active configuration of gcloud: https://cloud.google.com/sdk/docs/configurations */
async function configured(environment: Environment): Promise<string | undefined> {
  const variable = environment['CLOUDSDK_CORE_PROJECT']
  if (variable) return variable
  const folder = gcloudFolder(environment)
  const active =
    environment['CLOUDSDK_ACTIVE_CONFIG_NAME'] ||
    (await textOf(join(folder, 'active_config')))?.trim() ||
    'default'
  const text = await textOf(join(folder, 'configurations', `config_${active}`))
  const core = /^\[core\]\s*$([^[]*)/m.exec(text ?? '')?.[1]
  return /^project\s*=\s*(\S+)/m.exec(core ?? '')?.[1]
}

async function fieldsOf(path: string | undefined): Promise<Readonly<Record<string, unknown>> | undefined> {
  return parse((path && (await textOf(path))) || '')
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined // reading the credentials reports it
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
