import { describeDifference, findCases, runCase } from '@stagecraft/cli/golden'
import { describe, expect, test } from 'vitest'
import { goldenFolder } from './paths.ts'

const update = process.env['UPDATE_GOLDEN'] === '1'

describe('golden cases', async () => {
  const cases = await findCases(goldenFolder)

  test('are at least sixty', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60)
  })

  test.each(cases.map((golden) => [golden.name, golden] as const))('%s', async (_, golden) => {
    const first = await runCase(golden, { update })
    const text = first.differences.map((difference) => describeDifference(golden.name, difference)).join('\n')
    expect(first.status === 'updated' ? '' : text).toBe('')
    const second = await runCase(golden, { update: false })
    expect(second.status).toBe('same')
  })
})
