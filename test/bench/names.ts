// Prints how many names come out as an analyst writes them, against plain snake_case, and what each rule wins and
// loses. Run: pnpm bench:names [file of pairs]
import { fileURLToPath } from 'node:url'
import { measureNames, readPairs } from './measure-names.ts'

const file = process.argv[2] ?? fileURLToPath(new URL('name-pairs.txt', import.meta.url))
const { effects, shares } = measureNames(readPairs(file))
const share = (part: number, of: number): string => `${((100 * part) / of).toFixed(1)} %`.padStart(9)

process.stdout.write(`${'set'.padEnd(12)}${'columns'.padStart(9)}  by rules  snake_case\n`)
for (const { byRules, bySnakeCase, columns, set } of shares)
  process.stdout.write(
    `${set.padEnd(12)}${String(columns).padStart(9)} ${share(byRules, columns)}   ${share(bySnakeCase, columns)}\n`,
  )
process.stdout.write('\nrule          wins  losses\n')
for (const { losses, rule, wins } of effects)
  process.stdout.write(`${rule.padEnd(12)}${String(wins).padStart(6)}${String(losses).padStart(8)}\n`)
