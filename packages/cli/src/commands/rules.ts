import { findRule, GROUPS, RULES } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { heading, print } from '../terminal/print.ts'

/** `stagecraft rules`: prints why a rule is there, what it finds and what to do, or lists all rules. */
export function rulesCommand(name: string | undefined): void {
  if (name === undefined) listRules()
  else explainRule(name)
}

function listRules(): void {
  const width = Math.max(...RULES.map((rule) => rule.name.length))
  for (const [group, meaning] of Object.entries(GROUPS)) {
    heading(`${group}: ${meaning}`)
    for (const { id, isDefault, name, severity, summary } of RULES.filter((rule) => rule.group === group))
      print(`${id} ${name.padEnd(width)} ${(isDefault ? severity : 'off').padEnd(7)} ${summary}`)
  }
  print('\nstagecraft rules SC203 explains one of them')
}

function explainRule(name: string): void {
  const rule = findRule(name)
  if (!rule) {
    throw new StagecraftError('INVALID_REQUEST', `rule: expected the id or name of a rule, got "${name}"`, {
      details: {
        faults: [{ path: 'rule', expected: 'the id or name of a rule', received: name }],
        suggestion: 'stagecraft rules lists all rules',
      },
    })
  }
  const { docs, fix, id, isDefault, severity, summary } = rule
  print(`${id} ${rule.name}: ${summary}`)
  print(`\nSeverity: ${severity}${isDefault ? '' : ', off unless it is named'}`)
  print(`\nWhy: ${docs.why}`)
  print(`\nExample:\n${docs.example.code.replaceAll(/^/gm, '  ')}`)
  print(`\nRemedy: ${docs.remedy}`)
  if (fix) print(`\nFix: --fix${fix.safety === 'unsafe' ? ' --unsafe' : ''} ${fix.summary}`)
}
