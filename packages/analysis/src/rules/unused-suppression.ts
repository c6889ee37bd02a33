import type { Rule, RuleRun } from '../rule.ts'

/** An unused suppression may hide the next finding. */
export const unusedSuppression = {
  id: 'SC902',
  name: 'unused-suppression',
  group: 'lint',
  severity: 'warning',
  isDefault: true,
  needs: ['findings'],
  summary: 'a suppression covers no finding',
  docs: {
    why: 'The original finding is fixed or has moved. The suppression would silently hide the next finding there.',
    example: { language: 'sql', code: '-- stagecraft: ignore SC203 joins two sources\nselect 1 as id' },
    remedy: 'Remove it.',
  },
  fix: { safety: 'safe', summary: 'removes the comment' },
  check: (_, { findRule, unused }) =>
    unused.map(({ place, removal, rules }) => {
      const wrong = wrongRules(rules, findRule)
      return {
        message: wrong?.message ?? `the suppression of ${rules.join(', ')} covers no finding here`,
        ...(wrong && { help: wrong.help }),
        place,
        subject: { kind: 'file' as const, name: place.path, detail: rules.join(',') },
        ...(removal &&
          !wrong && {
            fix: {
              safety: 'safe' as const,
              summary: 'remove the comment',
              edit: { kind: 'text' as const, edits: [{ ...removal, text: '' }] },
            },
          }),
      }
    }),
} satisfies Rule

/** Says what is wrong with the rules of a suppression; undefined if all are ids of rules. */
function wrongRules(
  rules: readonly string[],
  findRule: RuleRun['findRule'],
): { readonly message: string; readonly help: string } | undefined {
  if (rules.length === 0)
    return {
      message: 'the suppression names no rule, so it covers nothing',
      help: 'name the rule by its id: `stagecraft: ignore SC203 reason`',
    }
  const unknown = rules.filter((id) => findRule(id)?.id !== id)
  if (unknown.length === 0) return undefined
  const ids = unknown.flatMap((name) => findRule(name)?.id ?? [])
  return ids.length > 0
    ? {
        message: `expected the ids of rules, got ${unknown.join(', ')}`,
        help: `write ${ids.join(', ')}`,
      }
    : { message: `there is no rule ${unknown.join(', ')}`, help: '`stagecraft rules` lists all rules' }
}
