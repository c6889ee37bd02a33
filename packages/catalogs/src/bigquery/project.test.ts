import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseAddress } from '../network/address.ts'
import { BIGQUERY } from '../network/servers.ts'
import { projectOf } from './project.ts'

const ADC = 'application_default_credentials.json'
const CONFIG =
  '[compute]\nproject_like = x\nzone = a\n\n[core]\naccount = me@example.com\nproject = of-gcloud\n\n[other]\nproject = wrong\n'

const settingsOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-gcloud-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const FILES = {
  [ADC]: JSON.stringify({ type: 'authorized_user', quota_project_id: 'of-quota', refresh_token: 'canary' }),
  'configurations/config_default': CONFIG,
  'configurations/config_work': CONFIG.replace('of-gcloud', 'of-work'),
  'key.json': JSON.stringify({ type: 'service_account', project_id: 'of-key', private_key: 'canary' }),
}
const { [ADC]: _, ...WITHOUT_LOGIN } = FILES
const { 'configurations/config_default': __, ...WITHOUT_CONFIG } = FILES

test.each<[string, Readonly<Record<string, string>>, string, Readonly<Record<string, string>>]>([
  ['of-address', FILES, '/of-address', { GOOGLE_CLOUD_PROJECT: 'x' }],
  ['of-variable', FILES, '?keyfile=key.json', { GOOGLE_CLOUD_PROJECT: 'of-variable', GCLOUD_PROJECT: 'old' }],
  ['old', FILES, '', { GCLOUD_PROJECT: 'old' }],
  ['of-key', FILES, '', { GOOGLE_APPLICATION_CREDENTIALS: 'key.json' }],
  ['of-gcloud', FILES, '?keyfile=key.json', {}],
  ['of-core', FILES, '', { CLOUDSDK_CORE_PROJECT: 'of-core' }],
  ['of-work', FILES, '', { CLOUDSDK_ACTIVE_CONFIG_NAME: 'work' }],
  ['of-work', { ...FILES, active_config: 'work\n' }, '', {}],
  ['of-key', WITHOUT_LOGIN, '?keyfile=key.json', {}],
  ['of-key', WITHOUT_LOGIN, `?keyfile_json=${Buffer.from(FILES['key.json']).toString('base64')}`, {}],
  ['of-quota', WITHOUT_CONFIG, '', {}],
])('finds the project %s, as dbt does', async (project, files, rest, variables) => {
  const folder = settingsOf(files)
  const inFolder = (text: string): string => text.replace('key.json', join(folder, 'key.json'))
  const environment = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, inFolder(value)]),
  )
  const address = parseAddress(`bigquery://bigquery.googleapis.com${inFolder(rest)}`, BIGQUERY)
  expect(await projectOf(address, { CLOUDSDK_CONFIG: folder, ...environment })).toBe(project)
})

test.each([
  [
    'bigquery.googleapis.com',
    {},
    'got none there, in GOOGLE_CLOUD_PROJECT, in a key file or in gcloud config; set project: in the profile',
  ],
  ['bigquery.googleapis.com', { [ADC]: 'canary' }, 'got none there'],
  ['db.example.com', FILES, 'got an address of db.example.com without one'],
])('says what to do without a project at %s', async (host, files, message) => {
  const address = parseAddress(`bigquery://${host}?token=canary`, BIGQUERY)
  const found = projectOf(address, { CLOUDSDK_CONFIG: settingsOf(files) })
  await expect(found).rejects.toThrow(
    `catalog: expected a project in the address or in the profile, ${message}`,
  )
  await expect(found).rejects.not.toThrow('canary')
})
