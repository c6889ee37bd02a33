import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scripted } from '@stagecraft/llm'
import type { BackendRequest } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { measurePlans } from './measure-plans.ts'
import type { PlanDatabase } from './plan-database.ts'
import { readPlanOptions } from './plan-options.ts'
import { printFigures, printHeader } from './print-figures.ts'

const text = (name: string, nullable = true) => ({ name, type: 'VARCHAR', nullable })
const id = (name: string) => ({ name, type: 'BIGINT', nullable: false })

const customerKey = { table: 'customers', columns: ['ID'] }

const shop: PlanDatabase = {
  name: 'shop',
  tables: [
    { schema: 'shop', name: 'customers', columns: [id('ID'), text('nm'), text('email')] },
    { schema: 'shop', name: 'orders', columns: [id('id'), id('customer_id'), text('status', false)] },
    { schema: 'shop', name: 'notes', columns: [text('body')] },
  ],
  keys: [
    customerKey,
    { table: 'customers', columns: ['email'] },
    { table: 'orders', columns: ['id'] },
    { table: 'notes', columns: ['body'] },
  ],
  references: [{ table: 'orders', columns: ['customer_id'], parent: customerKey }],
}

const NOTHING = { name: null, description: null, operation: null, tests: [] }
const plain = (name: string) => ({ name, values: null, table: null, column: null })
const answer = (columns: readonly object[], description: string | null = null): string =>
  JSON.stringify({ description, columns: columns.map((column) => ({ ...NOTHING, ...column })) })

const toCustomers = { ...plain('relationships'), table: 'customers', column: 'ID' }

const CUSTOMERS = answer(
  [
    { ordinal: 2, name: 'customer_name', description: 'The name of the customer on letters.' },
    { ordinal: 3, tests: [plain('unique'), plain('not_null')] },
  ],
  'People who have ordered something.',
)
const ORDERS = answer([
  { ordinal: 2, tests: [plain('unique'), toCustomers] },
  { ordinal: 3, name: 'order_id', tests: [plain('not_null')] },
])

/** Good for customers, in part for orders, never good for notes. */
function speak({ turns: [first] }: BackendRequest): string {
  const asked = first?.role === 'user' ? first.text : ''
  if (asked.includes('"table":"customers"')) return CUSTOMERS
  if (asked.includes('"table":"orders"')) return ORDERS
  return 'a fine table'
}

test('counts what a backend does', async () => {
  expect(await measurePlans(shop, { backend: scripted(speak) })).toEqual({
    tables: 3,
    columns: 7,
    kept: 7,
    renamed: 1,
    descriptions: { model: 2, rules: 2, none: 6 },
    tests: { proposed: 5, refused: 1, accepted: 3, declared: 4, other: 2 },
    unique: { hits: 3, proposed: 3, truth: 4 },
    references: { hits: 1, proposed: 1, truth: 1 },
    violations: { NAME_TAKEN: 1, ILLEGAL_TEST: 1, NOT_JSON: 2 },
    repairs: 1,
    fallbacks: 1,
    failures: { 'the answer broke the rules, and so did its repair': 1 },
    tokens: 440,
    isIncomplete: false,
    calls: 4,
  })
})

test('counts what the rules do', async () => {
  expect(await measurePlans(shop)).toMatchObject({
    kept: 7,
    renamed: 0,
    descriptions: { model: 0, rules: 2, none: 8 },
    tests: { proposed: 0, refused: 0, accepted: 0, declared: 4, other: 2 },
    unique: { hits: 2, proposed: 2, truth: 4 },
    references: { hits: 0, proposed: 0, truth: 1 },
    violations: {},
    tokens: 0,
    calls: 0,
  })
})

test('counts a wrong reference as proposed', async () => {
  const wrong = answer([{ ordinal: 1, tests: [{ ...toCustomers, column: 'email' }] }])
  const backend = scripted((request) => (speak(request) === 'a fine table' ? wrong : answer([])))
  expect((await measurePlans(shop, { backend })).references).toEqual({ hits: 0, proposed: 1, truth: 1 })
})

test('marks tokens that nobody tells of', async () => {
  const backend = scripted((_, attempt) => ({
    text: answer([]),
    ...(attempt === 1 && { usage: undefined }),
  }))
  const figures = await measurePlans(shop, { backend })
  expect(figures).toMatchObject({ tokens: 220, isIncomplete: true, calls: 3 })
  expect(printFigures('x', figures)).toMatch(/ 220\? +3 +-$/)
})

test('prints figures below their titles', async () => {
  const figures = await measurePlans(shop, { backend: scripted(speak) })
  const [, titles = ''] = printHeader().split('\n')
  const line = printFigures('scripted', figures)
  for (const title of ['tables', 'kept', 'unique', 'calls']) {
    const end = titles.indexOf(` ${title}`) + title.length
    expect(line[end]).toMatch(/[\d%]/)
  }
  expect(line).toMatch(/ {2}ILLEGAL_TEST 1, NAME_TAKEN 1, NOT_JSON 2$/)
})

test('says that not all columns are kept, however many are', async () => {
  const figures = await measurePlans(shop)
  expect(printFigures('x', { ...figures, columns: 10_000, kept: 9999 })).toContain(' 99.9 %')
})

test('gives options to the backend before them', () => {
  const parameters = '--backend openai --model a --backend replay --model b --cassettes c'.split(' ')
  expect(readPlanOptions(parameters).backends).toEqual([
    { kind: 'openai', model: 'a' },
    { kind: 'replay', model: 'b', cassettes: 'c' },
  ])
  expect(() => readPlanOptions(['--model', 'a'])).toThrow('expected a --backend before it')
})

interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function runPlans(parameters: readonly string[]) {
  const { ANTHROPIC_API_KEY: _, ...env } = process.env
  const child = spawn(process.execPath, [repositoryPath('test/bench/plans.ts'), ...parameters], { env })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  const done = new Promise<Run>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
  return { child, done }
}

test('the rules keep every column of the truth databases', async () => {
  const { code, stderr, stdout } = await runPlans([]).done
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^node test\/bench\/plans\.ts\n/)
  expect(stdout).toMatch(/^template +103 +1036 +100 % /m)
})

test('a missing key is one clear error', async () => {
  const { code, stderr, stdout } = await runPlans(['--backend', 'anthropic']).done
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(
    'error: --backend anthropic: expected a key in the environment variable ANTHROPIC_API_KEY, got none\n',
  )
})

test('an interrupt stops it while a backend is silent', async () => {
  const asked = Promise.withResolvers<void>()
  const server = createServer(() => asked.resolve()).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const { child, done } = runPlans(
    `--databases jaffle --backend openai-compatible --model m --base-url ${url}`.split(' '),
  )
  await Promise.race([asked.promise, done])
  child.kill('SIGINT')
  const { code, stderr, stdout } = await done
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'stopped\n' })
  expect(stdout).toMatch(/^template /m)
})
