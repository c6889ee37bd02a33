// The shell blocks of pages, run in order as they stand there, with what tutorials say that they print.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newAdminKey, SECRET_KEY, startService } from '../service/start-service.ts'
import { repositoryPath } from '../paths.ts'
import { type Block, blocksOf } from './pages.ts'
import { fillReaderFolder } from './reader-folder.ts'
import { isNotRun, READER_PAGES, SHELL_PAGES } from './run-blocks.ts'

/**
 * A folder inside the repository, where packages are found, with `stagecraft` and this Node on its path.
 *
 * @param options.findingsPass Findings and differences, which have exit code 1, do not stop a script.
 */
function makeFolder({ findingsPass = false } = {}): { readonly folder: string; readonly bin: string } {
  const folder = mkdtempSync(repositoryPath('test/.docs-shell-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const bin = join(folder, '.bin')
  mkdirSync(bin)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const program = join(bin, 'stagecraft')
  const command = `"${process.execPath}" "${repositoryPath('packages/cli/src/bin.ts')}" "$@"`
  const end = findingsPass ? '\ncode=$?\n[ $code -eq 1 ] && exit 0\nexit $code' : ''
  writeFileSync(program, `#!/bin/sh\n${command}${end}\n`)
  chmodSync(program, 0o755)
  return { folder, bin }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  return address.port
}

interface Service {
  readonly key: string
  readonly url: string
}

async function start(folder: string): Promise<Service> {
  const key = newAdminKey()
  const service = await startService({ folder: join(folder, 'data'), adminKey: key })
  onTestFinished(async () => void (await service.stop('SIGKILL')))
  return { key, url: service.baseUrl }
}

/** Returns the shell text of a block, without what the test itself does: starting the service, and its key. */
function shellOf(text: string, { key, url }: Service): string {
  if (/\bstagecraft serve$/m.test(text)) return ':'
  return text.replace(/^KEY=.*$/m, `KEY=${key}`).replaceAll('http://127.0.0.1:8080', url)
}

/** Writes one script that runs the blocks in order, each with its output in a file; files of the page are made on the way. */
function scriptOf(blocks: readonly Block[], folder: string, service: Service): string {
  const steps = blocks.map(({ info, language, text }, index) => {
    const mark = `echo ${index} > .step`
    if (language === 'sh') return `${mark}\n{\n${shellOf(text, service)}\n} > .out-${index} 2> .err-${index}`
    if (info === '' || info.startsWith('output')) return ''
    const source = join(folder, `.block-${index}`)
    writeFileSync(source, text)
    return `mkdir -p "${dirname(info)}" && cp "${source}" "${info}"`
  })
  return ['set -eu', `KEY=${service.key}`, `API=${service.url}`, ASK, ...steps].join('\n')
}

/** As docs/tutorials/service.md defines it; pages that build on that tutorial use it. */
const ASK = `ask() { curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }`

/** Keeps Git away from the repository around the folder, and has the name of a person who commits. */
const GIT: Readonly<Record<string, string>> = {
  GIT_CEILING_DIRECTORIES: repositoryPath('test'),
  GIT_AUTHOR_NAME: 'Reader',
  GIT_AUTHOR_EMAIL: 'reader@example.com',
  GIT_COMMITTER_NAME: 'Reader',
  GIT_COMMITTER_EMAIL: 'reader@example.com',
}

async function runScript(script: string, folder: string, bin: string): Promise<number | null> {
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    env: {
      ...process.env,
      NO_COLOR: '1',
      DATABASE_URL: '',
      STAGECRAFT_SECRET_KEY: SECRET_KEY,
      ...GIT,
      LC_ALL: 'C',
      PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    },
    stdio: 'ignore',
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

function reader(folder: string): (name: string, index: number) => string {
  return (name, index) => readFileSync(join(folder, `.${name}-${index}`), 'utf8')
}

interface Place {
  readonly folder: string
  readonly bin: string
  readonly service: Service
}

async function expectRun(blocks: readonly Block[], { bin, folder, service }: Place): Promise<void> {
  const read = reader(folder)
  const code = await runScript(scriptOf(blocks, folder, service), folder, bin)
  const step = Number(readFileSync(join(folder, '.step'), 'utf8'))
  const where = code === 0 ? '' : `${blocks[step]?.text ?? ''}\n${read('out', step)}${read('err', step)}`
  expect({ code, where }).toEqual({ code: 0, where: '' })
}

/** Replaces what the reader puts in: a warehouse, and the id of a key. */
function withPlaces(text: string): string {
  return text
    .replaceAll(/\bpostgres:\/\/\S+/g, 'duckdb:raw.duckdb')
    .replaceAll('key_…', '"$(stagecraft keys list | cut -f1 | tail -n 1)"')
}

test.each(Object.entries(READER_PAGES))(
  'the commands of %s run in a folder with a %s',
  { timeout: 300_000 },
  async (page, kind) => {
    const { bin, folder } = makeFolder({ findingsPass: true })
    await fillReaderFolder(folder, kind, (...parameters) =>
      execFileSync(join(bin, 'stagecraft'), parameters, { cwd: folder, stdio: 'ignore' }),
    )
    const blocks = blocksOf(page)
      .filter((block) => block.language === 'sh' && !isNotRun(block))
      .map((block) => ({ ...block, text: withPlaces(block.text) }))
    await expectRun(blocks, { bin, folder, service: { key: '', url: '' } })
  },
)

test.each(SHELL_PAGES)('the commands of %s do what it says', { timeout: 300_000 }, async (page) => {
  const { bin, folder } = makeFolder()
  const port = await freePort()
  const blocks = blocksOf(page).map((block) => ({
    ...block,
    text: block.text.replaceAll('8090', String(port)),
  }))
  const needsService = blocks.some(({ text }) => /\$API|127\.0\.0\.1:8080/.test(text))
  const service = needsService ? await start(folder) : { key: '', url: '' }
  const read = reader(folder)
  await expectRun(blocks, { bin, folder, service })
  for (const [index, { info, text }] of blocks.entries()) {
    if (info === 'output') expect(read('out', index - 1)).toBe(text)
    if (info === 'output-ends') expect(read('out', index - 1).slice(-text.length)).toBe(text)
  }
})
