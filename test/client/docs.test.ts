// The programs of docs/reference/client.md, as they stand there, one after the other.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { answer, operationOf } from './api-stub.ts'
import { clientOf, KEY, send, startStub, SUCCESS } from './stub.ts'

const run = promisify(execFile)
const PAGE = readFileSync(repositoryPath('docs/reference/client.md'), 'utf8')

function programs(): string {
  const blocks = [...PAGE.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text)
  return [`const apiKey = '${KEY}'`, ...blocks].join('\n')
}

/** A file inside the repository, where the packages are found. */
function write(program: string): string {
  const folder = mkdtempSync(repositoryPath('test/.client-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const settings = { extends: '../../tsconfig.json', include: [], files: ['main.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'main.ts'), program)
  return folder
}

test('its programs compile and run', async () => {
  const stub = await startStub((response, request) =>
    (request.url === '/generate' ? send(200, SUCCESS) : answer({ isWhole: false }))(response, request),
  )
  const folder = write(programs().replace('https://stagecraft.example.com', stub.url))
  await run(repositoryPath('node_modules/.bin/tsc'), ['-p', folder])
  const { stdout, stderr } = await run(process.execPath, ['main.ts'], { cwd: folder })
  expect(stdout).toMatch(/^select 1 .*req_1\n/)
  expect(stderr).toBe('')
  const [first, ...others] = stub.requests
  expect(first?.url).toBe('/generate')
  const called = new Set(others.map(({ method, url }) => operationOf(method, url)))
  expect([...called].toSorted().join(' ')).toBe(
    'createConnection createGeneration createPush createScan createUnit getGeneration getScan getUnit ' +
      'listDeliveries listEvents listProjects listUnits streamChanges testConnection updateUnit',
  )
})

test('it lists every method', () => {
  const client = clientOf({ url: 'https://stagecraft.example.com' })
  const rows = Object.entries(client)
    .filter(([, member]) => typeof member === 'object')
    .map(([name, methods]) => `| \`${name}\` | \`${Object.keys(methods as object).join('` `')}\` |`)
  expect(rows).toHaveLength(19)
  const text = PAGE.replaceAll(/ +/g, ' ')
  expect(rows.filter((row) => !text.includes(row))).toEqual([])
})
