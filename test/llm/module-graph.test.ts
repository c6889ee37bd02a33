import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'

const run = promisify(execFile)

/** Prints every module that is loaded for a module, and for what is made of it. */
const SCRIPT = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
const module = await import(process.argv[1])
if (process.argv[2]) module[process.argv[2]]({ apiKey: 'k', baseUrl: 'http://localhost', model: 'm' })
console.log(JSON.stringify(loaded))
`

test.each([
  ['@stagecraft/llm', import.meta.resolve('@stagecraft/llm'), ''],
  ['@stagecraft/llm/anthropic', import.meta.resolve('@stagecraft/llm/anthropic'), 'anthropic'],
  ['@stagecraft/llm/openai', import.meta.resolve('@stagecraft/llm/openai'), 'openai'],
  [
    '@stagecraft/llm/openai-compatible',
    import.meta.resolve('@stagecraft/llm/openai-compatible'),
    'openaiCompatible',
  ],
  ['@stagecraft/llm/replay', import.meta.resolve('@stagecraft/llm/replay'), ''],
])('%s loads no SDK', async (_, url, factory) => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SCRIPT, url, factory], {
    cwd: repositoryPath('.'),
  })
  const loaded = JSON.parse(stdout) as readonly string[]
  expect(loaded.some((path) => path.includes('packages/llm/src'))).toBe(true)
  expect(loaded.filter((path) => /@anthropic-ai|\/openai@|node_modules\/openai/.test(path))).toEqual([])
})
