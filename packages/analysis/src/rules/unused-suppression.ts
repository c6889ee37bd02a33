import type { Rule } from '../rule.ts'

/** What is suppressed in vain hides the next finding. */
export const unusedSuppression = {
  id: 'SC902',
  name: 'unused-suppression',
  group: 'lint',
  severity: 'warning',
  isDefault: true,
  needs: ['findings'],
  summary: 'a suppression covers no finding',
  docs: {
    why: 'What it was written for is mended, or has moved; it would hide the next finding there, which nobody has looked at.',
    example: { language: 'sql', code: '-- stagecraft: ignore SC203 joins two sources\nselect 1 as id' },
    remedy: 'Remove it.',
  },
  fix: { safety: 'safe', summary: 'removes the comment' },
  check: (_, { isRule, unused }) =>
    unused.map(({ place, removal, rules }) => {
      const unknown = rules.filter((id) => !isRule(id))
      return {
        message:
          unknown.length > 0
            ? `there is no rule ${unknown.join(', ')}`
            : `nothing is found here that the suppression of ${rules.join(', ')} would cover`,
        ...(unknown.length > 0 && { help: '`stagecraft rules` lists all rules' }),
        place,
        subject: { kind: 'file' as const, name: place.path, detail: rules.join(',') },
        ...(removal &&
          unknown.length === 0 && {
            fix: {
              safety: 'safe' as const,
              summary: 'remove the comment',
              edit: { kind: 'text' as const, edits: [{ ...removal, text: '' }] },
            },
          }),
      }
    }),
} satisfies Rule
