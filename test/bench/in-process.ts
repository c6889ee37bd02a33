// One measurement in a process of its own: node in-process.ts <tables> <columns>
import { generateProject } from '@stagecraft/core'
import { makeTables } from './tables.ts'

const [tables = 0, columns = 0] = process.argv.slice(2).map(Number)

const items = makeTables(tables, columns)

const runs = tables > 1000 ? 1 : 8
let milliseconds = 0
let processor = 0
for (let run = 0; run < runs; run++) {
  const start = performance.now()
  const used = process.cpuUsage()
  generateProject(items, { dialect: 'postgres' })
  milliseconds = performance.now() - start
  processor = process.cpuUsage(used).user / 1000
}

const perSecond = Math.round((tables / milliseconds) * 1000)
const megabytes = Math.round(process.resourceUsage().maxRSS / 1000)
const which = runs > 1 ? 'warm' : 'cold'
process.stdout.write(
  `${milliseconds.toFixed(0)} ms ${which} (${processor.toFixed(0)} ms of processor time), ${perSecond} tables/s, ` +
    `${megabytes} MB at most\n`,
)
