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

function toLearned(rule: LearnedRule): readonly LearnedEntry[] {
  return entriesOf(rule.config).map(([path, value]) => {
    const key = path.join('.')
    const text = `learned: ${printSetting(key, value)}, as in ${printSupport(rule)}`
    return { key, value, reason: { rule: 'learned', evidence: 'learned', text } }
  })
}

/** Prints a setting on one line: `naming.patterns.boolean: is_{name}`. */
export function printSetting(key: string, value: unknown): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

/** Prints how many models follow a rule, with examples: `41 of 43 columns, 12 of 13 models: models/a.sql`. */
export function printSupport({ examples, models, support }: LearnedRule): string {
  const columns = support.unit === 'columns' ? `${support.holds} of ${support.of} columns, ` : ''
  const unit = support.unit === 'columns' ? 'models' : support.unit
  const files = examples.length === 0 ? '' : `: ${examples.join(', ')}`
  return `${columns}${models.holds} of ${models.of} ${unit}${files}`
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
