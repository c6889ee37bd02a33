import { findRule, findRulesLike, GROUPS, type Rule, RULES, suggestRule } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { heading, print } from '../terminal/print.ts'

/**
 * `stagecraft rules`: prints the reason, the findings and the remedy of a rule; lists the rules of a group, those that
 * match a part of a name, or all.
 */
export function rulesCommand(name: string | undefined): void {
  const rule = name === undefined ? undefined : findRule(name)
  if (rule) {
    explainRule(rule)
    return
  }
  const rules = name === undefined ? RULES : findRulesLike(name)
  if (rules.length === 0) throw unknownRule(name ?? '')
  listRules(rules)
}

function unknownRule(name: string): StagecraftError {
  const expected = 'the id or name of a rule, or a part of one'
  return new StagecraftError('INVALID_REQUEST', `rule: expected ${expected}, got "${name}"`, {
    details: { faults: [{ path: 'rule', expected, received: name }], suggestion: suggestRule(name) },
  })
}

function listRules(rules: readonly Rule[]): void {
  const width = Math.max(...rules.map((rule) => rule.name.length))
  for (const [group, meaning] of Object.entries(GROUPS)) {
    const own = rules.filter((rule) => rule.group === group)
    if (own.length > 0) heading(`${group}: ${meaning}`)
    for (const { id, isDefault, name, severity, summary } of own)
      print(`${id} ${name.padEnd(width)} ${(isDefault ? severity : 'off').padEnd(7)} ${summary}`)
  }
  print(`\nstagecraft rules ${rules[0]?.id ?? 'SC203'} explains a rule`)
}

function explainRule({ docs, fix, id, isDefault, name, severity, summary }: Rule): void {
  print(`${id} ${name}: ${summary}`)
  print(`\nSeverity: ${severity}${isDefault ? '' : ', off by default'}`)
  print(`\nWhy: ${docs.why}`)
  print(`\nExample:\n${docs.example.code.replaceAll(/^/gm, '  ')}`)
  print(`\nRemedy: ${docs.remedy}`)
  if (fix) print(`\nFix: --fix${fix.safety === 'unsafe' ? ' --unsafe' : ''} ${fix.summary}`)
  if (docs.noFix !== undefined) print(`\nNo fix: ${docs.noFix}`)
}
