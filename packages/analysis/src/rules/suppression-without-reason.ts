import type { Rule } from '../rule.ts'

/** A suppression with a reason can still be judged a year later. */
export const suppressionWithoutReason = {
  id: 'SC901',
  name: 'suppression-without-reason',
  group: 'lint',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'a suppression gives no reason',
  docs: {
    why: 'Later readers cannot tell whether it still applies.',
    example: { language: 'sql', code: '-- stagecraft: ignore SC203' },
    remedy: 'Write the reason after the id: `-- stagecraft: ignore SC203 both tables hold one order each`.',
  },
  check: ({ suppressions }) =>
    suppressions
      .filter(({ reason, rules }) => reason === undefined && rules.length > 0)
      .map(({ place, rules }) => ({
        message: `the suppression of ${rules.join(', ')} gives no reason`,
        place,
        subject: { kind: 'file', name: place.path, detail: rules.join(',') },
      })),
} satisfies Rule
