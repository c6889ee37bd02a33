import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { httpReceiver } from '../testing/receivers.ts'
import { attemptDelivery } from './attempt-delivery.ts'

test('a receiver has the full documented time to answer', async () => {
  const docs = readFileSync(new URL('../../../../docs/how-to/receive-webhooks.md', import.meta.url), 'utf8')
  const seconds = Number(/(\d+) seconds, and put what takes longer into a queue/.exec(docs)?.[1])
  const { port } = await httpReceiver((_, response) => {
    setTimeout(() => response.end('late'), (seconds - 2) * 1000)
  }, onTestFinished)
  const policy = { allowCidrs: ['127.0.0.0/8'], allowHttp: true }
  const url = `http://127.0.0.1:${port}/`
  const result = await attemptDelivery({ url, body: '{}', headers: {}, policy })
  expect(result).toMatchObject({ outcome: 'delivered', status: 200, excerpt: 'late' })
})
