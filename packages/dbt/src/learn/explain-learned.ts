import type { Decision, Explanation, Reason } from '@stagecraft/spec'
import type { LearnedRule } from './learn-conventions.ts'
import { entriesOf } from './merge-config.ts'

/** Adds to an explanation the decisions that follow learned conventions, and how well these hold in existing models. */
export function explainLearned(explanation: Explanation, rules: readonly LearnedRule[]): Explanation {
  const learned = rules.filter(({ isNew }) => isNew).flatMap(toLearned)
  const entity = explanation.decisions.find(({ about }) => about === 'entity')?.value
  const withReasons = (decision: Decision): Decision => {
    const reasons = learned.filter((one) => speaksOf(one, decision, entity)).map(({ reason }) => reason)
    return reasons.length === 0
      ? decision
      : { ...decision, reasons: [...decision.reasons.map(asLearned), ...reasons] }
  }
  return {
    ...explanation,
    decisions: explanation.decisions.map(withReasons),
    columns: explanation.columns.map((column) => ({
      ...column,
      decisions: column.decisions.map(withReasons),
    })),
  }
}

/** Learned conventions are not in `stagecraft.yml`, but have the same effect as an entry there. */
function asLearned(reason: Reason): Reason {
  return reason.evidence === 'configuration' ? { ...reason, evidence: 'learned' } : reason
}

interface LearnedEntry {
  readonly key: string
  readonly value: unknown
  readonly reason: Reason
}

function toLearned({ config, exceptions, support, text }: LearnedRule): readonly LearnedEntry[] {
  const { holds, of, unit } = support
  const but = exceptions.length === 0 ? '' : `, unlike ${exceptions[0] ?? ''}`
  const reason: Reason = {
    rule: 'learned',
    evidence: 'learned',
    text: `learned: ${text} (${holds} of ${of} ${unit}${but})`,
  }
  return entriesOf(config).map(([path, value]) => ({ key: path.join('.'), value, reason }))
}

/** The members of `naming` whose entries apply to some names only. */
const PARTIAL = /^(?:sources\.[^.]+\.)?naming\.(?:patterns|glossary|renames)\./

function speaksOf(
  { key, value }: LearnedEntry,
  { keys, reasons, value: outcome = '' }: Decision,
  entity = '{entity}',
): boolean {
  const isAsked = keys.some((one) => key === one || key.startsWith(`${one}.`))
  if (!isAsked || !PARTIAL.test(key)) return isAsked
  const isApplied = reasons.some(({ rule }) => key.includes(`naming.${rule.replace(/^name\./, '')}.`))
  return isApplied && typeof value === 'string' && fits(value.replaceAll('{entity}', entity), outcome)
}

/** Returns true if a name matches a pattern, or contains the replacement words. */
function fits(pattern: string, name: string): boolean {
  if (!/[{*]/.test(pattern)) return name.includes(pattern)
  const source = pattern.replace(/[.+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\w+\}|\*/g, '.+')
  return new RegExp(`^${source}$`).test(name)
}
