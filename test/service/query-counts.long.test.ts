// No list asks the store once more for each of its rows.
import { API_OPERATIONS, type Operation, type OperationId } from '@stagecraft/spec/api'
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { audited } from '../../packages/service/src/audit/audit-log.ts'
import { change } from '../../packages/service/src/change.ts'
import { createHandlers } from '../../packages/service/src/service.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { keepProposal } from '../../packages/service/src/talk/proposals.ts'
import { describeEachStore } from './each-store.ts'
import { makeWarehouse, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'
import { openShopWithGit } from './push-shop.ts'

const FILES = {
  'dbt_project.yml': 'name: shop\n',
  'models/a.sql': "select * from {{ ref('nothing') }}\n",
  'models/b.sql': "select * from {{ ref('nowhere') }} where a = null\n",
  'models/c.sql': "select * from {{ ref('void') }}\n",
}

/** Tables whose columns have values that suggestions come from. */
const TABLES = ['red', 'green', 'blue']
  .map(
    (name) =>
      `create table ${name} (id integer, status text, kind text, flag text);` +
      `insert into ${name} select value, 'abc' || value % 3, 'xyz' || value % 2, case when value % 2 then 'Y' else 'N' end ` +
      'from (with recursive n(value) as (select 1 union all select value + 1 from n where value < 300) select value from n);',
  )
  .join('\n')

type AnyHandler = (call: never) => Promise<{ readonly data: { readonly items: readonly unknown[] } }>

/** Makes three or more of everything that is listed, and returns the parameters of the paths. */
async function fill(shop: Shop) {
  const { caller, context } = shop
  const handlers = createHandlers(context)
  const projectId = caller.projectId
  const make = async (id: OperationId, body: object, params: object = {}): Promise<string> => {
    const handler = handlers[id] as unknown as (call: never) => Promise<{ data: { id: string } }>
    const call = { operation: id, caller, requestId: 'req_test' }
    return (await audited(context, call, () => handler(callOf(caller, { body, params })))).data.id
  }
  const isEnded = (id: OperationId, params: object) => async () =>
    ((await handlers[id](callOf(caller, { params }))) as unknown as { data: { state: string } }).data.state
  const names = { webhookId: '', analysisId: '', conversationId: '', name: 'red' }
  for (const number of [1, 2, 3]) {
    names.webhookId = await make('createWebhook', {
      url: `https://example.com/${number}`,
      events: ['unit.created'],
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    })
    await make('createKey', { name: `key ${number}`, scopes: ['read'] })
    await make('createConnection', { name: `lake ${number}`, catalog: 'postgres://u:p@db.example.com/raw' })
  }
  for (const source of ['customers', 'orders', 'payments'])
    await make('createUnit', { type: 'staging', source })
  const ended: [OperationId, object][] = []
  for (const number of [1, 2, 3]) {
    ended.push(['getScan', { scanId: await make('createScan', { profile: true }) }])
    ended.push(['getGeneration', { generationId: await make('createGeneration', {}) }])
    names.analysisId = await make('createAnalysis', {})
    ended.push(['getAnalysis', { analysisId: names.analysisId }])
    names.conversationId = await make('createConversation', { title: `${number}` })
  }
  const params = { conversationId: names.conversationId }
  const messageIds: string[] = []
  for (const content of ['one?', 'two?', 'three?'])
    messageIds.push(await make('createMessage', { content, wait: false }, params))
  for (const messageId of messageIds) ended.push(['getMessage', { ...params, messageId }])
  shop.work()
  for (const [id, one] of ended)
    await expect.poll(isEnded(id, one), { timeout: 60_000 }).toMatch(/^(?:completed|failed)$/)
  for (const branch of ['a', 'b', 'c']) await make('createPush', { branch, message: branch })
  for (const number of [1, 2, 3])
    await change(context, projectId, (tx) =>
      keepProposal(
        tx,
        {
          kind: 'yaml',
          title: `proposal ${number}`,
          files: [{ path: 'models/a.sql', before: FILES['models/a.sql'], after: 'select 1\n' }],
          evidence: [],
          notes: [],
        },
        {
          asked: { key_id: caller.keyId, conversation_id: null, message_id: null },
          createdBy: 'mcp',
          folder: '',
        },
      ),
    )
  return names
}

/** Handlers that count the statements that they run. */
function countedHandlers({ context }: Shop) {
  let statements = 0
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const store = { ...context.store, db: context.store.db.withPlugin(counter) }
  const handlers = createHandlers({ ...context, store })
  return async (id: OperationId, call: never) => {
    statements = 0
    const { data } = await (handlers[id] as unknown as AnyHandler)(call)
    return { statements, rows: data.items.length }
  }
}

/** A key opens one project. */
const SINGLE = new Set<string>(['listProjects'])

const LISTS = Object.entries<Operation>(API_OPERATIONS).flatMap(([id, { isList }]) =>
  isList === true ? [id as OperationId] : [],
)

await describeEachStore('a list', MIGRATIONS, (open) => {
  test('takes no statement more for each row', async () => {
    const { shop } = await openShopWithGit(open, { files: FILES, warehouse: makeWarehouse(TABLES) })
    const params = await fill(shop)
    const list = countedHandlers(shop)
    expect(LISTS.length).toBeGreaterThan(15)
    for (const id of LISTS) {
      const ask = (limit: number) => list(id, callOf(shop.caller, { params, query: { limit } }))
      const one = await ask(1)
      const many = await ask(100)
      expect(one.rows, id).toBe(1)
      if (!SINGLE.has(id)) expect(many.rows, id).toBeGreaterThan(2)
      // One more where the rows are of two kinds; a statement for each row would be two more at least.
      expect(many.statements, id).toBeLessThanOrEqual(one.statements + 1)
    }
  })
})
