import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

const run = promisify(execFile)

/** Prints every module that is loaded for a module, those of Node too. */
const SCRIPT = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
await import(process.argv[1])
console.log(JSON.stringify(loaded))
`

test('@stagecraft/webhooks/verify loads only its own files', async () => {
  const url = import.meta.resolve('@stagecraft/webhooks/verify')
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SCRIPT, url], {
    cwd: repositoryPath('.'),
  })
  const loaded = JSON.parse(stdout) as readonly string[]
  expect(loaded.length).toBeGreaterThan(5)
  expect(loaded.filter((path) => !path.includes('packages/webhooks/src/verify/'))).toEqual([])
})
