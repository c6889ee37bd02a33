import { entriesOf, type LearnedRule, printSetting, printSupport } from '@stagecraft/dbt'
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
