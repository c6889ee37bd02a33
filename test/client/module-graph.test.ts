import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

const run = promisify(execFile)

const SCRIPT = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
const { createClient } = await import(process.argv[1])
const fetch = () => Promise.reject(new Error('no network'))
const client = createClient({ baseUrl: 'https://stagecraft.example.com', apiKey: 'sk', fetch, maxRetries: 0 })
await client.generate({ type: 'staging', source: 'raw.a' }).catch(() => undefined)
const first = loaded.splice(0)
await client.events.get('evt_1').catch(() => undefined)
console.log(JSON.stringify([first, loaded]))
`

test('the client loads nothing from Node or the service, and operations only when they are called', async () => {
  const url = import.meta.resolve('@stagecraft/client')
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SCRIPT, url], {
    cwd: repositoryPath('.'),
  })
  const [first, later] = JSON.parse(stdout) as readonly (readonly string[])[]
  const isOperation = (path: string) => path.includes('packages/spec/src/api/')
  expect(first?.some((path) => path.includes('packages/client/src'))).toBe(true)
  expect(first?.filter(isOperation)).toEqual([])
  expect(later?.filter(isOperation).length).toBeGreaterThan(9)
  const isKnown = (path: string) => /\/packages\/(?:client|spec)\/src\/|\/zod\//.test(path)
  expect([...(first ?? []), ...(later ?? [])].filter((path) => !isKnown(path))).toEqual([])
})
