import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anthropicFixtures } from '../../packages/llm/src/testing/anthropic-fixtures.ts'
import { chatFixtures } from '../../packages/llm/src/testing/chat-fixtures.ts'
import { events, json } from '../../packages/llm/src/testing/replies.ts'
import { useStubServer } from '../../packages/llm/src/testing/stub-server.ts'
import { lookUpFrames } from '../assistant/look-up-frames.ts'
import { SHOP_FILES } from '../assistant/views.ts'
import { lintProject } from './lint-project.ts'
import { type CliResult, readFolder, runWarm, temporaryFolder } from './run-cli.ts'

const KEY = 'sk-ant-canary-4711'
const server = useStubServer({ beforeAll, afterAll })

/** A project with secrets beside it, which are nobody's business. */
const SECRETS = {
  'profiles.yml': 'shop: { outputs: { dev: { password: canary-profile } } }\n',
  '.env': 'TOKEN=canary-env\n',
  'target/manifest.json': '{"metadata":{"env":{"X":"canary-target"}},"nodes":{}}\n',
  'target/compiled/shop/models/a.sql': "select 'canary-compiled'\n",
  'models/.hidden.sql': "select 'canary-hidden'\n",
  'models/token.sql': "select 'password=canary-sql-4711' as a from {{ ref('fct_orders') }}\n",
}

function shop(more: Readonly<Record<string, string>> = {}): string {
  const files = Object.entries({ ...SHOP_FILES, ...SECRETS, ...more })
  return lintProject(Object.fromEntries(files.filter(([path]) => path !== 'raw-tables.json')))
}

function ask(
  folder: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return runWarm(['ask', ...parameters], {
    folder,
    env: { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: '', STAGECRAFT_LLM_MODE: 'live', ...env },
  })
}

const MODEL = (): readonly string[] => ['--backend', 'anthropic', '--base-url', server.url]
const CITED = 'A test reads it [tests/no_negative_totals.sql:1], and `x` too.\nUnknown: who runs it'

function answers(text = CITED): void {
  server.answer(events(lookUpFrames(anthropicFixtures)), events(anthropicFixtures.stream(text)))
}

function transcripts(folder: string): readonly string[] {
  return readdirSync(join(folder, '.stagecraft/conversations')).filter((name) => name.endsWith('.jsonl'))
}

test('asks a model, checks what it cites, says what it cost, and keeps a transcript for its owner', async () => {
  const folder = shop()
  const before = readFolder(folder)
  answers()
  const { code, stderr, stdout } = await ask(folder, [...MODEL(), 'where is fct_orders used?'])
  const after = Object.entries(readFolder(folder)).filter(([path]) => !path.startsWith('.stagecraft/'))
  expect(Object.fromEntries(after)).toEqual(before)
  expect(stdout).toMatch(
    /^A test reads it \[1\], and `x` too\.\n\[1\] tests\/no_negative_totals\.sql:1 {2}select \* from .*\nnot known: who runs it\nanthropic:claude-haiku-5-5: 1 look, 2 calls, [\d,]+ tokens; continue with --follow-up \(conv_\w+\)\n$/,
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'find_uses {"id":"fct_orders"}\n' })
  const [name = ''] = transcripts(folder)
  const path = join(folder, '.stagecraft/conversations', name)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder, '.stagecraft/conversations/.gitignore'), 'utf8')).toBe('*\n')
  const text = readFileSync(path, 'utf8')
  expect(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { type: string }).type),
  ).toEqual(['conversation', 'question', 'model', 'results', 'model', 'answer'])
  const all = JSON.stringify([text, stdout, stderr, server.requests.map(({ body }) => body)])
  expect(all).not.toMatch(/canary/)
})

test('goes on with a conversation, also after a crash in the middle of a line', async () => {
  const folder = shop()
  answers()
  await ask(folder, [...MODEL(), 'where is fct_orders used?'])
  server.answer(events(anthropicFixtures.stream('Yes: `it` does [tests/no_negative_totals.sql:1].')))
  const second = await ask(folder, [...MODEL(), '--follow-up', '--json', 'sure?'])
  expect(JSON.parse(second.stdout)).toMatchObject({
    conversation: expect.stringMatching(/^conv_/),
    answeredBy: 'model',
    citations: [{ file: 'tests/no_negative_totals.sql', line: 1 }],
    droppedCitations: 0,
  })
  expect(JSON.stringify(server.requests[0]?.body)).toContain('where is fct_orders used?')
  const [name = ''] = transcripts(folder)
  expect(transcripts(folder)).toHaveLength(1)
  const path = join(folder, '.stagecraft/conversations', name)
  appendFileSync(path, '{"type":"question","te')
  server.answer(events(anthropicFixtures.stream('Hello.')))
  const id = name.replace('.jsonl', '')
  expect(await ask(folder, [...MODEL(), '--conversation', id, 'hello'])).toMatchObject({ code: 0 })
  expect(transcripts(folder)).toEqual([name])
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type).slice(-3)).toEqual([
    'question',
    'model',
    'answer',
  ])
})

test('plays a transcript on the project as it is then', async () => {
  const folder = shop()
  answers()
  await ask(folder, [...MODEL(), '--transcript', 'talk.jsonl', 'where is fct_orders used?'])
  const replayed = await ask(folder, ['--replay', 'talk.jsonl'], { ANTHROPIC_API_KEY: '' })
  expect(replayed).toMatchObject({ code: 0, stderr: '' })
  expect(replayed.stdout).toContain('A test reads it [1], and `x` too.')
  expect(replayed.stdout).toMatch(/^the same answer as recorded$/m)
  writeFileSync(join(folder, 'tests/no_negative_totals.sql'), "select 1 from {{ ref('fct_orders') }}\n")
  const later = await ask(folder, ['--replay', 'talk.jsonl'])
  expect(later.stdout).toContain(
    'note: find_uses returns a different result than the recorded one\na different answer than the recorded one\n',
  )
})

test('a failing model leaves the answer to the rules, and says so', async () => {
  server.answer(json(anthropicFixtures.error('authentication_error', 'no'), 401))
  const { code, stdout } = await ask(shop(), [...MODEL(), 'where is fct_orders used?'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^the model gave no answer: anthropic:claude-haiku-5-5: .*\nplaces that read model\.fct_orders\n/,
  )
  const other = await ask(shop(), [...MODEL(), 'why?'])
  expect(other).toMatchObject({ code: 5, stdout: '' })
  expect(other.stderr).toContain('gave no answer')
})

test('a project file does not say where the key of the user goes, and --no-model asks nobody', async () => {
  const config = `backend: { name: anthropic, baseUrl: '${server.url}' }\n`
  const folder = shop({ 'stagecraft.yml': config })
  server.answer()
  const refused = await ask(folder, ['where is fct_orders used?'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('a host that the key in ANTHROPIC_API_KEY is for')
  const { code, stdout } = await ask(folder, ['--no-model', 'where is fct_orders used?'])
  expect(code).toBe(0)
  expect(stdout).toContain('without a language model')
  expect(server.requests).toEqual([])
})

test('a model that the project names answers without a key', async () => {
  const config = `backend: { name: openai-compatible, baseUrl: '${server.url}', model: m }\n`
  server.answer(events(lookUpFrames(chatFixtures)), events(chatFixtures.stream(CITED)))
  const { stdout } = await ask(shop({ 'stagecraft.yml': config }), [
    '--no-transcript',
    'where is fct_orders used?',
  ])
  expect(stdout).toContain('A test reads it [1]')
  expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([undefined, undefined])
})

test.each<[string, readonly string[], string]>([
  ['an unknown conversation', ['--conversation', 'conv_nobody', 'x'], 'a conversation of this project'],
  ['a path for a conversation', ['--conversation', '../../x', 'x'], 'a conversation of this project'],
  ['nothing to go on with', ['--follow-up', 'x'], 'a conversation to continue'],
  [
    'a file that is no transcript',
    ['--transcript', 'dbt_project.yml', 'x'],
    'a transcript of stagecraft ask',
  ],
  ['prices that are none', ['--max-cost', '1', '--prices', 'cheap', 'x'], '1/5'],
  ['a cost without prices', ['--max-cost', '1', 'x'], 'prices of a million tokens'],
  ['a bound that is none', ['--max-tokens', '0', 'x'], 'a number above 0'],
  ['no question', [], 'question'],
])('refuses %s, and asks nobody', async (_, parameters, message) => {
  server.answer()
  const folder = shop()
  const { code, stderr } = await ask(folder, [...MODEL(), ...parameters])
  expect({ code, requests: server.requests.length }).toEqual({ code: 2, requests: 0 })
  expect(stderr).toContain(message)
  expect(readFileSync(join(folder, 'dbt_project.yml'), 'utf8')).not.toContain('question')
})

test('a folder of conversations that leads out of the project is not written to', async () => {
  const folder = shop()
  const elsewhere = temporaryFolder()
  mkdirSync(join(folder, '.stagecraft'))
  symlinkSync(elsewhere, join(folder, '.stagecraft/conversations'))
  answers()
  const { code } = await ask(folder, [...MODEL(), 'where is fct_orders used?'])
  expect({ code, files: readdirSync(elsewhere) }).toEqual({ code: 2, files: [] })
})

test('a transcript at a place of its own is made private', async () => {
  const folder = shop()
  const path = join(temporaryFolder(), 'deep/talk.jsonl')
  answers()
  await ask(folder, [...MODEL(), '--transcript', path, 'where is fct_orders used?'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
