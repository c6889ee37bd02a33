import { ERROR_CODES, WARNINGS } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { describe, expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

describe('explain', () => {
  test('prints meaning, cause and remedy of a code, in any case', async () => {
    const { cause, remedy } = WARNING_EXPLANATIONS.KEYS_NOT_TESTED
    expect(await runCli(['explain', 'keys_not_tested'])).toEqual({
      code: 0,
      stderr: '',
      stdout: `KEYS_NOT_TESTED: ${WARNINGS.KEYS_NOT_TESTED}\n\nCause: ${cause}\n\nRemedy: ${remedy}\n`,
    })
  })

  test('lists all codes', async () => {
    const { stdout } = await runCli(['explain'])
    expect(stdout.match(/[A-Z]+(?:_[A-Z]+)+|\bFORBIDDEN|\bUNAUTHORIZED/g)?.toSorted()).toEqual(
      [...ERROR_CODES, ...Object.keys(WARNINGS)].toSorted(),
    )
  })

  test('refuses a text that is not a code', async () => {
    expect(await runCli(['explain', 'NOTHING'])).toMatchObject({
      code: 2,
      stderr:
        'error[INVALID_REQUEST] code: expected the code of a warning or an error, got "NOTHING"\n  stagecraft explain lists all codes\n',
    })
  })
})

test('explanations are sentences that name no person', () => {
  const texts = Object.values({ ...ERROR_EXPLANATIONS, ...WARNING_EXPLANATIONS }).flatMap(
    ({ cause, remedy }) => [cause, remedy],
  )
  for (const text of texts) expect(text).toMatch(/^[A-Z`].*\.$/)
})
