import { StagecraftError } from '@stagecraft/spec'
import type { ChosenRule } from './lint.ts'
import { RULES } from './rules/index.ts'
import { nearest } from './rules/nearest.ts'
import type { Rule } from './rule.ts'
import type { Severity } from './vocabulary.ts'

export interface ChooseRulesOptions {
  /** Only these rules: ids, names, groups or prefixes of ids. @default those that are on */
  readonly select?: readonly string[]
  /** Without these rules: ids, names, groups or prefixes of ids. @default none */
  readonly ignore?: readonly string[]
  /**
   * Severities by id or name; `off` switches a rule off. A rule that is named here is on. @default those of the rules
   */
  readonly severities?: Readonly<Record<string, Severity | 'off'>>
}

/**
 * Chooses rules.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an unknown rule.
 */
export function chooseRules({
  ignore = [],
  select,
  severities = {},
}: ChooseRulesOptions = {}): readonly ChosenRule[] {
  for (const name of [...(select ?? []), ...ignore, ...Object.keys(severities)]) assertRule(name)
  return RULES.flatMap((rule): readonly ChosenRule[] => {
    const [, given] = Object.entries(severities).find(([name]) => isNamed(rule, name)) ?? []
    const isOn = select
      ? select.some((name) => isNamed(rule, name))
      : given !== 'off' && (given !== undefined || rule.isDefault)
    if (!isOn || ignore.some((name) => isNamed(rule, name))) return []
    return [{ rule, severity: given === undefined || given === 'off' ? rule.severity : given }]
  })
}

/** `SC203`, `staging-joins-sources`, `staging`, `SC2`, in any case. */
function isNamed({ group, id, name }: Rule, given: string): boolean {
  const wanted = given.toLowerCase()
  return /^sc\d+$/.test(wanted) ? id.toLowerCase().startsWith(wanted) : name === wanted || group === wanted
}

function assertRule(name: string): void {
  if (RULES.some((rule) => isNamed(rule, name))) return
  throw new StagecraftError(
    'INVALID_REQUEST',
    `rule: expected an id, a name or a group of rules, got "${name}"`,
    {
      details: {
        faults: [{ path: 'rule', expected: 'an id, a name or a group', received: name }],
        suggestion: suggestRule(name),
      },
    },
  )
}

/** Finds a rule by its id or name, in any case; undefined if there is none. */
export function findRule(name: string): Rule | undefined {
  const wanted = name.toLowerCase()
  return RULES.find((rule) => rule.id.toLowerCase() === wanted || rule.name === wanted)
}

/** Finds the rules whose id, name or group starts with a text or contains it: `SC9`, `source`. */
export function findRulesLike(name: string): readonly Rule[] {
  const wanted = name.toLowerCase()
  return RULES.filter((rule) => isNamed(rule, name) || rule.name.includes(wanted))
}

/** Returns a hint for an unknown rule, with the nearest name. */
export function suggestRule(name: string): string {
  const names = RULES.flatMap((rule) => [rule.id, rule.name, rule.group])
  const closest = nearest(name, new Set(names))
  return `${closest === undefined ? '' : `did you mean ${closest}? `}stagecraft rules lists all rules`
}
