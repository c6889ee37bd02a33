import { type Conventions, entriesOf, type LearnedRule, printSetting, printSupport } from '@stagecraft/dbt'
import { escapeForTerminal } from '@stagecraft/spec'
import { paint } from '../terminal/paint.ts'
import { print } from '../terminal/print.ts'

/** The number of exceptions shown for each rule. */
const SHOWN = 3

/** Prints a learned rule: its settings, the models that follow it, and exceptions. */
export function printRule(rule: LearnedRule): void {
  const { config, exceptions, text } = rule
  print(`\n${paint('bold', escapeForTerminal(text))}`)
  for (const [path, value] of entriesOf(config))
    print(`  ${escapeForTerminal(printSetting(path.join('.'), value))}`)
  print(`  ${escapeForTerminal(printSupport(rule))}`)
  for (const exception of exceptions.slice(0, SHOWN)) print(`  except ${escapeForTerminal(exception)}`)
  if (exceptions.length > SHOWN)
    print(`  the first ${SHOWN} of ${exceptions.length} exceptions; --json lists all`)
}

/** Returns the comment on each learned entry, by its path: `12 of 13 columns`, of all rules that add to the entry. */
export function supportsOf({ rules }: Conventions): ReadonlyMap<string, string> {
  const supports = rules.flatMap(({ keys, support }) => keys.map((key) => ({ key, ...support })))
  return new Map(
    [...Map.groupBy(supports, ({ key }) => key)].map(([key, own]) => {
      const holds = own.reduce((sum, one) => sum + one.holds, 0)
      const of = own.reduce((sum, one) => sum + one.of, 0)
      return [key, `${holds} of ${of} ${own[0]?.unit ?? 'columns'}`] as const
    }),
  )
}
