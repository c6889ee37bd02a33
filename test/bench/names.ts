// Prints how many names come out as an analyst writes them, against plain snake_case, and what each rule wins and
// loses; then how many do when the conventions of a project are learned from its other models.
// Run: pnpm bench:names [file of pairs]
import { fileURLToPath } from 'node:url'
import { buildHouses } from './houses/index.ts'
import { type LearningFigures, measureLearning } from './measure-learning.ts'
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

process.stdout.write('\nlearned from   models columns  by rules  others    unlike    5 models\n')
const houses = []
for (const house of buildHouses()) {
  const one = await measureLearning(house)
  houses.push(one)
  printHouse(one)
}
printHouse(
  houses.reduce((sum, one) => ({
    project: 'all',
    models: sum.models + one.models,
    columns: sum.columns + one.columns,
    byRules: sum.byRules + one.byRules,
    leaveOneOut: sum.leaveOneOut + one.leaveOneOut,
    unlike: sum.unlike + one.unlike,
    fromFive: sum.fromFive + one.fromFive,
    ofFive: sum.ofFive + one.ofFive,
  })),
)

function printHouse(one: LearningFigures): void {
  const shares = [one.byRules, one.leaveOneOut, one.unlike].map((right) => share(right, one.columns))
  process.stdout.write(
    `${one.project.padEnd(14)}${String(one.models).padStart(7)}${String(one.columns).padStart(8)} ${shares.join(' ')} ${share(one.fromFive, one.ofFive)}\n`,
  )
}
