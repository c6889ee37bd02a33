import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

const run = promisify(execFile)

const SCRIPT = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
await import(process.argv[1])
console.log(JSON.stringify(loaded))
`

test('the web handler does not load Node modules or a framework', async () => {
  const url = import.meta.resolve('@stagecraft/http/web')
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SCRIPT, url], {
    cwd: repositoryPath('.'),
  })
  const loaded = JSON.parse(stdout) as readonly string[]
  expect(loaded.some((path) => path.includes('packages/http/src/web'))).toBe(true)
  expect(loaded.filter((path) => path.startsWith('node:') || path.includes('fastify'))).toEqual([])
})
