// One measurement of the built packages in a process of its own, in the folder of the repository:
// node test/bench/in-process.ts <tables> <columns>
import { useBuiltPackages } from './built-packages.ts'
import { makeTables } from './tables.ts'

useBuiltPackages(process.cwd())
const { createRun } = await import('@stagecraft/core/run')

const [tables = 0, columns = 0] = process.argv.slice(2).map(Number)

const items = makeTables(tables, columns)

/** Generates, and lets go of every file as a writer would that has written it. */
function generate(): number {
  let characters = 0
  for (const files of createRun(items, { dialect: 'postgres' }).steps())
    for (const { content } of files) characters += content.length
  return characters
}

const runs = tables > 1000 ? 1 : 8
let milliseconds = 0
let processor = 0
let characters = 0
for (let run = 0; run < runs; run++) {
  const start = performance.now()
  const used = process.cpuUsage()
  characters = generate()
  milliseconds = performance.now() - start
  processor = process.cpuUsage(used).user / 1000
}

const perSecond = Math.round((tables / milliseconds) * 1000)
const which = runs > 1 ? 'warm' : 'cold'
process.stdout.write(
  `${milliseconds.toFixed(0)} ms ${which} (${processor.toFixed(0)} ms of processor time), ${perSecond} tables/s, ` +
    `${Math.round(characters / 1e6)} MB of files, ${Math.round(process.resourceUsage().maxRSS / 1000)} MB of memory at most\n`,
)
