import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { successEnvelopeSchema } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anthropicFixtures } from '../../packages/llm/src/testing/anthropic-fixtures.ts'
import { json } from '../../packages/llm/src/testing/replies.ts'
import { useStubServer } from '../../packages/llm/src/testing/stub-server.ts'
import { repositoryPath } from '../paths.ts'
import { type CliResult, readFolder, runWarm, temporaryFolder } from './run-cli.ts'

const KEY = 'sk-ant-canary-4711'
const EDIT = JSON.stringify({
  description: 'Someone who buys from the shop.',
  columns: [{ ordinal: 2, name: 'invoice_email', description: null, operation: null, tests: [] }],
})

const server = useStubServer({ beforeAll, afterAll })

interface Run {
  readonly parameters: readonly string[]
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
}

function generate({ env = {}, folder = temporaryFolder(), parameters }: Run): Promise<CliResult> {
  const catalog = repositoryPath('test/cli/columns.yml')
  return runWarm(['generate', 'shop.customers', '--catalog', catalog, ...parameters], {
    folder,
    env: { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', STAGECRAFT_LLM_MODE: 'live', ...env },
  })
}

function ask(run: Partial<Run> & { readonly flags?: readonly string[] } = {}): Promise<CliResult> {
  const { flags = [], ...rest } = run
  return generate({
    ...rest,
    parameters: ['--backend', 'anthropic', '--base-url', server.url, ...flags],
    env: { ANTHROPIC_API_KEY: KEY, ...run.env },
  })
}

test('asks a backend, says what it cost, and asks only once', async () => {
  const folder = temporaryFolder()
  server.answer(json(anthropicFixtures.ok(EDIT)))
  const first = await ask({ folder })
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('"emailAddress" as invoice_email') })
  expect(first.stderr).toMatch(
    /^language model: 1 table by the model, 0 from the cache, 0 by the rules; 1 call, \d+ tokens \(/m,
  )
  const second = await ask({ folder })
  expect(second.stdout).toBe(first.stdout)
  expect(second.stderr).toContain(
    'language model: 0 tables by the model, 1 from the cache, 0 by the rules; 0 calls (1 from the cache), 0 tokens (',
  )
  expect(server.requests).toHaveLength(1)
  await ask({ folder, flags: ['--refresh'] })
  expect(server.requests).toHaveLength(2)
  expect(readFileSync(join(folder, '.stagecraft/cache/.gitignore'), 'utf8')).toBe('*\n')
  expect(JSON.stringify([readFolder(folder), first, second])).not.toContain(KEY)
})

test('asks once for files and JSON together', async () => {
  server.answer(json(anthropicFixtures.ok(EDIT)))
  const { code, stdout } = await ask({ flags: ['--json', '--out', '.', '--refresh'] })
  expect({ code, requests: server.requests.length }).toEqual({ code: 0, requests: 1 })
  expect(successEnvelopeSchema.parse(JSON.parse(stdout)).data.code).toContain('as invoice_email')
})

test('plans with a backend, and checks without asking it', async () => {
  const folder = temporaryFolder()
  const backend = `backend: { name: anthropic, baseUrl: "${server.url}" }`
  writeFileSync(join(folder, 'stagecraft.yml'), `catalog: columns.yml\n${backend}\n`)
  const columns = (...names: readonly string[]): void =>
    writeFileSync(
      join(folder, 'columns.yml'),
      JSON.stringify({
        dialect: 'postgres',
        tables: [{ schema: 'shop', name: 'orders', columns: names.map((name) => ({ name, type: 'text' })) }],
      }),
    )
  const run = (...parameters: readonly string[]) =>
    runWarm(parameters, {
      folder,
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_API_KEY_HOST: new URL(server.url).host },
    })
  server.answer(json(anthropicFixtures.ok(EDIT)))
  columns('a', 'email')
  expect(await run('apply', 'shop.orders')).toMatchObject({ code: 0 })
  const asked = server.requests.length
  expect(asked).toBeGreaterThan(0)
  expect(await run('check')).toMatchObject({ code: 0 })
  columns('a', 'email', 'b')
  expect(await run('check')).toMatchObject({ code: 1, stdout: expect.stringContaining('+ b text') })
  expect(server.requests).toHaveLength(asked)
})

test('takes the backend from stagecraft.yml, and the flags over it', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'stagecraft.yml'),
    `backend:\n  name: anthropic\n  baseUrl: ${server.url}\n  model: claude-x\n  comments: true\n`,
  )
  server.answer(json(anthropicFixtures.ok(EDIT)))
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_API_KEY_HOST: new URL(server.url).host }
  const { stdout } = await generate({ folder, parameters: ['--json'], env })
  const { meta } = successEnvelopeSchema.parse(JSON.parse(stdout))
  expect(meta).toMatchObject({ backend: 'anthropic:claude-x', usage: { attempts: 1, incomplete: false } })
  expect(meta.tokensUsed).toBe((meta.usage?.input ?? 0) + (meta.usage?.output ?? 0))
  expect(JSON.stringify(server.requests[0]?.body)).toContain('Where invoices go')
  const off = await generate({ folder, parameters: ['--no-backend', '--json'] })
  expect(JSON.parse(off.stdout)).toMatchObject({ meta: { tokensUsed: 0 } })
  expect(server.requests).toHaveLength(1)
})

test('shows what it would send and sends nothing, with no key', async () => {
  server.answer(json(anthropicFixtures.ok(EDIT)))
  const shown = await ask({ flags: ['--show-prompt'], env: { ANTHROPIC_API_KEY: '' } })
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(server.requests).toHaveLength(0)
  await ask()
  const { messages, system } = (server.requests[0]?.body ?? {}) as {
    readonly messages: unknown
    readonly system: readonly { readonly text: string }[]
  }
  expect(shown.stdout).toContain(system[0]?.text)
  expect(shown.stdout).toContain('[2,"emailAddress","text",null,null]')
  expect(JSON.stringify(messages)).toContain(
    JSON.stringify('[2,"emailAddress","text",null,null]').slice(1, -1),
  )
  expect(JSON.stringify(messages)).not.toContain('Where invoices go')
})

test('sends no names when they are to be kept', async () => {
  server.answer(json(anthropicFixtures.ok('{"description":null,"columns":[]}')))
  expect((await ask({ flags: ['--redact-names'] })).code).toBe(0)
  expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/email|customers/i)
})

test('falls back to the rules with a warning, or fails when told to', async () => {
  const plain = await generate({ parameters: [] })
  server.answer(json(anthropicFixtures.error('authentication_error', 'no'), 401))
  const fallback = await ask()
  expect(fallback).toMatchObject({ code: 5, stdout: plain.stdout })
  const cause = `the key is wrong, or may not use this model (authentication_error, status 401 at ${new URL(server.url).host})`
  expect(fallback.stderr).toMatch(/^warning\[BACKEND_FAILED\] /m)
  expect(fallback.stderr).toContain(`: ${cause}\n`)
  expect(fallback.stderr).toMatch(
    /^language model: 0 tables by the model, 0 from the cache, 1 by the rules; 1 call, at least 0 tokens/m,
  )
  expect(fallback.stderr).toContain(`1 table without a usable answer: ${cause}\n`)
  const failed = await ask({ flags: ['--on-failure', 'error', '--json'] })
  expect(failed.code).toBe(5)
  expect(JSON.parse(failed.stdout)).toMatchObject({
    error: { code: 'GENERATION_FAILED', details: { kind: 'auth', attempts: 1, violations: [] } },
  })
})

test.each([
  ['no key', ['--backend', 'openai'], 'the environment variable OPENAI_API_KEY'],
  ['no address', ['--backend', 'openai-compatible', '--model', 'm'], '--base-url <url>'],
  ['a model of no backend', ['--model', 'm'], '--backend <name> as well'],
  ['no recorded model', ['--backend', 'replay'], '--model anthropic:claude-haiku-5-5'],
])('says what to do with %s', async (_, parameters, hint) => {
  const { code, stderr } = await generate({ parameters })
  expect(code).toBe(2)
  expect(stderr).toContain(hint)
  expect(stderr).not.toMatch(/\n\s+at /)
})

test('records with a live backend, and plays without one', async () => {
  const folder = temporaryFolder()
  server.answer(json(anthropicFixtures.ok(EDIT)))
  const live = await ask({ folder, flags: ['--model', 'claude-x'], env: { STAGECRAFT_LLM_MODE: 'record' } })
  expect(live.code).toBe(0)
  expect(readdirSync(join(folder, '.stagecraft/recordings'))).toHaveLength(1)
  const played = await generate({
    folder,
    parameters: ['--backend', 'replay', '--model', 'anthropic:claude-x'],
  })
  expect(played).toMatchObject({ code: 0, stdout: live.stdout })
  const again = await generate({
    folder,
    parameters: ['--backend', 'anthropic', '--model', 'claude-x'],
    env: { STAGECRAFT_LLM_MODE: 'replay' },
  })
  expect(again).toMatchObject({ code: 0, stdout: live.stdout })
  const missed = await generate({
    folder,
    parameters: ['--backend', 'replay', '--model', 'anthropic:claude-y'],
  })
  expect(missed.code).toBe(5)
  expect(missed.stderr).toMatch(/no recording [0-9a-f]{16} in .*recordings/)
  expect(JSON.stringify(readFolder(folder))).not.toContain(KEY)
})

test('shows the model how the project names and describes things', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nversion: 1.0.0\n')
  writeFileSync(join(folder, 'models/stg_old.sql'), 'select\n    emailaddress as email,\n    no as number\n')
  writeFileSync(
    join(folder, 'models/old.yml'),
    'models:\n  - name: stg_old\n    columns:\n      - { name: email, description: Where we write to. }\n',
  )
  const { stdout } = await generate({ folder, parameters: ['--show-prompt'] })
  expect(stdout).toContain('"house":{"renames":[["emailaddress","email"],["no","number"]]')
  expect(stdout).toContain('"descriptions":[["email","Where we write to."]]')
})
