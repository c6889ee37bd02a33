import { join } from 'node:path'
import type { RunningService } from '../../service/start-service.ts'
import { SECRET } from './values.ts'

/** A project that requests may do anything to. */
export interface FuzzProject {
  readonly key: string
  /** Values for parameters and members, by their name; grows as answers name more. */
  readonly known: Record<string, string[]>
}

const MOST_KNOWN = 12

/** Which parameters and members take ids of a prefix. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  key: ['keyId'],
  conn: ['connectionId'],
  scan: ['scanId'],
  unit: ['unitId', 'unitIds'],
  gen: ['generationId', 'batchId'],
  push: ['pushId'],
  whk: ['webhookId'],
  dlv: ['deliveryId'],
  evt: ['eventId'],
}

/** Makes a project over the demo warehouse, with values that lead somewhere. */
export async function createFuzzProject(
  { apiUrl }: RunningService,
  { adminKey, folder }: { readonly adminKey: string; readonly folder: string },
): Promise<FuzzProject> {
  const post = async (path: string, body: object, key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${apiUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new Error(`POST ${path}: ${text}`)
    return JSON.parse(text) as {
      readonly data: { readonly id: string; readonly key: { readonly secret: string } }
    }
  }
  const { data } = await post('/v1/projects', { name: 'fuzz' }, adminKey)
  const warehouse = `duckdb:${join(folder, 'demo.duckdb')}`
  const known: Record<string, string[]> = {
    catalog: [
      warehouse,
      `postgres://reader:${SECRET}@127.0.0.1:1/raw`,
      `mysql://reader:${SECRET}@127.0.0.1:1/raw`,
    ],
    url: ['http://127.0.0.1:1/hook', 'https://example.com/hook', `https://example.com/${'x'.repeat(200)}`],
    remote: ['https://127.0.0.1:1/repository.git', join(folder, 'no-repository.git')],
    dbtVersion: ['1.8', '1.10', '2.0', '0.1'],
    source: ['stripe.charges', 'shopify.orders', 'stripe.no_such', 'raw.stripe.charges'],
    branch: ['stagecraft', 'main', 'a..b', '-x'],
    path: ['models/staging/crm/stg_crm__accounts.sql', '../../etc/passwd'],
  }
  const project = { key: data.key.secret, known: { ...known, projectId: [data.id] } }
  const created = await post(
    `/v1/projects/${data.id}/connections`,
    { name: 'demo', catalog: warehouse },
    project.key,
  )
  learn(JSON.stringify([data, created]), project)
  return project
}

/** Takes the ids and source names that an answer names. */
export function learn(text: string, { known }: FuzzProject): void {
  for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{3,4})_[0-9a-z]{20,}\b/g)) {
    for (const name of NAMES[prefix] ?? []) remember(known, name, id)
  }
  for (const [, name = ''] of text.matchAll(/"(?:name|source)":"([a-z_]+\.[a-z_.]+)"/g)) {
    remember(known, 'source', name)
    remember(known, 'name', name)
  }
  for (const [, cursor = ''] of text.matchAll(/"nextCursor":"([^"]+)"/g)) remember(known, 'cursor', cursor)
}

function remember(known: Record<string, string[]>, name: string, value: string): void {
  const values = (known[name] ??= [])
  // The first stay: they are what the project was made with.
  if (!values.includes(value) && values.length < MOST_KNOWN) values.push(value)
}
