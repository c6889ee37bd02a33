import { createEngine, type EngineAnswer } from '@stagecraft/core'
import { scripted, type ScriptedAnswer, type ScriptedBackend } from '@stagecraft/llm'
import {
  type Backend,
  type BackendRequest,
  type Catalog,
  type CatalogTable,
  type ColumnEdit,
  type DialectName,
  type LlmSettings,
  type GenerationRequest,
  type Project,
  StagecraftError,
} from '@stagecraft/spec'
import { expect } from 'vitest'
import { parse } from 'yaml'

/** Every name and comment of these tables holds `wh7`, so that it can be found wherever it leaks to. */
export const CUSTOMERS: CatalogTable = {
  schema: 'shop',
  name: 'wh7_customers',
  columns: [
    { name: 'wh7_customer_id', type: 'bigint', nullable: false },
    { name: 'wh7_email', type: 'text' },
  ],
  primaryKey: ['wh7_customer_id'],
}

export const ORDERS: CatalogTable = {
  schema: 'shop',
  name: 'wh7_orders',
  columns: [
    { name: 'wh7_order_id', type: 'bigint', nullable: false },
    { name: 'wh7_customer_id', type: 'bigint', nullable: false },
    { name: 'wh7_state', type: 'text', nullable: false, values: ['new', 'paid'] },
    { name: 'wh7_amount', type: 'bigint' },
    { name: 'wh7_note', type: 'text' },
    { name: 'wh7_seen', type: 'timestamp' },
    { name: '_fivetran_synced', type: 'timestamp with time zone' },
    { name: '_fivetran_deleted', type: 'boolean' },
  ],
  primaryKey: ['wh7_order_id'],
  uniqueKeys: [['wh7_amount', 'wh7_seen']],
  foreignKeys: [
    {
      columns: ['wh7_customer_id'],
      references: { table: { name: 'wh7_customers' }, columns: ['wh7_customer_id'] },
    },
  ],
}

/** The places of the columns of `ORDERS`. */
export const AT = { id: 1, customer: 2, state: 3, amount: 4, note: 5, seen: 6, synced: 7 } as const

export function catalogOf(tables: readonly CatalogTable[], dialect: DialectName = 'postgres'): Catalog {
  return {
    dialect,
    tables: () => Promise.resolve(tables),
    describe: ({ table }) => {
      const found = tables.find(({ name }) => name === table.text)
      return found ? Promise.resolve(found) : Promise.reject(new StagecraftError('INVALID_SOURCE', 'none'))
    },
    close: () => Promise.resolve(),
  }
}

export interface EditRun {
  readonly backend?: Backend
  readonly tables?: readonly CatalogTable[]
  readonly dialect?: DialectName
  readonly settings?: LlmSettings
  readonly options?: GenerationRequest['options']
  readonly project?: Project
  readonly clock?: { now(): number }
}

/** An answer about the first table, with what a backend made of it. */
export function run(input: EditRun = {}): Promise<EngineAnswer> {
  const { tables = [ORDERS], dialect = 'postgres', options, project } = input
  const { backend, clock, settings } = input
  const engine = createEngine({
    catalog: catalogOf(tables, dialect),
    ids: { next: () => 'req_1' },
    clock: clock ?? { now: () => 0 },
    ...(backend && { llm: { ...settings, backend } }),
    ...(project && { project }),
  })
  const source = `shop."${tables[0]?.name ?? ''}"`
  return engine.generate({
    type: 'staging',
    source: dialect === 'postgres' ? source : `shop.${tables[0]?.name ?? ''}`,
    options: { addTests: true, addDocs: true, ...options },
  })
}

/** What a model may say of a column, with nothing said. */
export function about(ordinal: number, said: Partial<ColumnEdit> = {}): ColumnEdit {
  return { ordinal, name: null, description: null, operation: null, tests: [], ...said }
}

export function answer(columns: readonly unknown[] = [], description: unknown = null): string {
  return JSON.stringify({ description, columns })
}

interface Properties {
  readonly models: readonly {
    readonly description?: string
    readonly columns: readonly {
      readonly name: string
      readonly description?: string
      readonly data_tests?: readonly unknown[]
    }[]
  }[]
}

/** The model of a properties file. */
export function modelOf(schema: string): Properties['models'][number] {
  const [model] = (parse(schema) as Properties).models
  if (!model) throw new Error('there is no model')
  return model
}

/** A backend that says the same whatever it is asked. */
export function stubborn(text: ScriptedAnswer): ScriptedBackend {
  return scripted(() => text)
}

export function sent({ requests }: { readonly requests: readonly BackendRequest[] }): string {
  return JSON.stringify(requests)
}

/** What stands between the tags of the first turn, read. */
export function tableSent({ turns }: BackendRequest): Readonly<Record<string, unknown>> {
  const [turn] = turns
  const text = turn && 'text' in turn ? turn.text : ''
  const parts = text.split(/<\/?table>/)
  expect(parts).toHaveLength(3)
  return JSON.parse(parts[1] ?? '') as Readonly<Record<string, unknown>>
}

export async function errorOf(promise: Promise<unknown>): Promise<StagecraftError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StagecraftError)
  return error as StagecraftError
}

/**
 * The rule of the feature: an answer that breaks the rules changes nothing. Falling back gives the bytes of a run
 * without a backend and one warning; an error says what was wrong in our words alone.
 */
export async function expectRefused(
  text: ScriptedAnswer,
  input: Omit<EditRun, 'backend'> & { readonly codes?: readonly string[] } = {},
): Promise<void> {
  const { codes, settings, ...rest } = input
  const backend = stubborn(text)
  const plain = await run(rest)
  const { data, meta } = await run({ ...rest, backend, settings: { ...settings, onFailure: 'fallback' } })
  expect(backend.requests.length).toBeLessThanOrEqual(2)
  expect(meta.fallback).toBe(true)
  const others = data.warnings.filter(({ code }) => code !== 'BACKEND_FAILED')
  expect({ ...data, warnings: others }).toEqual(plain.data)
  const failed = data.warnings.filter(({ code }) => code === 'BACKEND_FAILED')
  expect(failed).toHaveLength(1)
  const error = await errorOf(
    run({ ...rest, backend: stubborn(text), settings: { ...settings, onFailure: 'error' } }),
  )
  expect(error.code).toBe('GENERATION_FAILED')
  const { attempts, kind, violations } = error.details ?? {}
  expect(typeof kind).toBe('string')
  expect(attempts).toBe(backend.requests.length)
  const found = (violations as readonly { readonly code: string }[]).map(({ code }) => code)
  if (codes) expect([...new Set(found)]).toEqual(codes)
  const said = JSON.stringify([error.message, error.details, failed])
  expect(said).not.toMatch(/md7|wh7/i)
  expect(error.cause).toBeUndefined()
}
