import { StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { failure, success } from './answer.ts'

const ADDRESS = 'md:db?motherduck_token=S3CRETPW'

test('answers hide secrets of addresses in messages, but not in files', () => {
  const data = { warnings: [{ message: `of ${ADDRESS}` }], files: [{ content: `-- ${ADDRESS}` }] }
  const meta = { requestId: 'req_1', timestamp: '2026-01-02T03:04:05.000Z', tokensUsed: 0 }
  const { body } = success(data, meta)
  expect(JSON.parse(body)).toEqual({
    success: true,
    data: { ...data, warnings: [{ message: 'of md:db?motherduck_token=***' }] },
    meta,
  })
  const error = StagecraftError.invalid({ path: 'catalog', expected: 'a database', received: ADDRESS })
  const refused = failure(error, 'req_2').body
  expect(refused).not.toContain('S3CRETPW')
  expect(refused).toContain('motherduck_token=***')
})
