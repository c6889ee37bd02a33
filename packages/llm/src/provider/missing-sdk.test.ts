import { expect, test } from 'vitest'
import { messagesBackend } from '../anthropic/messages-backend.ts'
import { chatBackend } from '../openai-compatible/chat-backend.ts'
import { responsesBackend } from '../openai/responses-backend.ts'
import { REQUEST } from '../testing/run.ts'

const notInstalled = async () => {
  const name = 'no-such-package'
  return (await import(name)) as never
}
const options = { apiKey: 'k', baseUrl: 'http://127.0.0.1:9', model: 'm' }

test.each([
  ['@anthropic-ai/sdk', messagesBackend(options, notInstalled)],
  ['openai', responsesBackend(options, notInstalled)],
  ['openai', chatBackend(options, notInstalled)],
])('reports that %s is missing, on the first call', async (name, backend) => {
  await expect(backend.complete(REQUEST)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: `this backend needs the package ${name}, which cannot be loaded; run: npm install ${name}`,
    details: { suggestion: `npm install ${name}` },
  })
})
