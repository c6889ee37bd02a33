// A model that a conversation of the service proposes for a scanned table: dbt parses the branch that has it.
import { join } from 'node:path'
import { scripted } from '@stagecraft/llm'
import { expect, onTestFinished } from 'vitest'
import { makeFolder, runTestGit } from '../../packages/service/src/git/testing/repositories.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../packages/service/src/store/open-store.ts'
import { talkHandlers } from '../../packages/service/src/talk/talk-handlers.ts'
import { callOf } from '../service/open-test-context.ts'
import { openShopWithGit, untilEnded } from '../service/push-shop.ts'
import { type Dbt, runDbt, writeProject } from './dbt.ts'
import { testWithDbt } from './with-dbt.ts'

const FILES = {
  'dbt_project.yml': 'name: generated\nprofile: generated\n',
  'models/raw.yml': 'sources:\n  - name: main\n    tables:\n      - name: orders\n',
  'models/fct_orders.sql': "select * from {{ source('main', 'orders') }}\n",
}

const WISH = {
  source: 'main.payments',
  description: 'What customers paid for orders.',
  columns: [
    { column: 'id', tests: ['unique', 'not_null'] },
    { column: 'amount_cents', description: 'What was paid.' },
  ],
}

async function proposeAndApply(dbt: Dbt): Promise<void> {
  const call = { toolCalls: [{ id: 'call_1', name: 'propose_model', input: WISH }] }
  const settings = { llm: { backend: scripted([call, 'I proposed a model.']) } }
  const { repository, shop } = await openShopWithGit(
    async () => {
      const file = join(makeFolder(onTestFinished), 'store.db')
      const store = await openStore({ migrations: MIGRATIONS, file })
      onTestFinished(() => store.close())
      return store
    },
    { files: FILES, settings },
  )
  const { caller, context, handlers } = shop
  const body = { dialect: 'duckdb' }
  await handlers.updateProject(callOf(caller, { params: { projectId: caller.projectId }, body }))
  shop.work()
  const { data: scan } = await handlers.createScan(callOf(caller, { body: {} }))
  await expect
    .poll(async () => (await handlers.getScan(callOf(caller, { params: { scanId: scan.id } }))).data.state)
    .toBe('completed')
  const talks = talkHandlers(context)
  const { id: conversationId } = (await talks.createConversation(callOf(caller, {}))).data
  const content = { content: 'Stage the payments.', tools: 'propose' }
  const { data } = await talks.createMessage(callOf(caller, { params: { conversationId }, body: content }))
  const params = { conversationId, messageId: data.id }
  const message = async () => (await talks.getMessage(callOf(caller, { params }))).data
  await expect.poll(async () => (await message()).state, { timeout: 300_000 }).toBe('completed')
  const [proposalId] = (await message()).answer?.proposals ?? []
  const order = { params: { proposalId }, body: { branch: 'stagecraft' } }
  const { data: push } = await talks.applyProposal(callOf(caller, order))
  expect(await untilEnded(shop, push.id)).toMatchObject({ state: 'completed', outcome: 'pushed' })
  const folder = makeFolder(onTestFinished)
  runTestGit(folder, ['clone', '-q', '-b', 'stagecraft', repository.folder, '.'])
  await writeProject(folder, { type: 'duckdb', path: join(folder, 'x.duckdb') })
  const { code, output } = await runDbt(dbt, folder, ['parse'])
  expect(code, output).toBe(0)
  // the source that was there has the new table
  expect(repository.read('models/raw.yml', 'stagecraft')).toContain('name: payments')
  const select = [
    'ls',
    '--select',
    'stg_main__payments',
    '--resource-types',
    'model',
    'test',
    '--output',
    'name',
  ]
  expect((await runDbt(dbt, folder, select)).output).toMatch(/unique_stg_main__payments_\w+/)
}

testWithDbt('a model that a conversation proposed is parsed by', 'dbt-1', proposeAndApply, 600_000)
