// One measurement in a process of its own: node in-process.ts <tables> <columns>
import { type GenerateItem, generateProject } from '@stagecraft/core'

const [tables = 0, columns = 0] = process.argv.slice(2).map(Number)

const NAMES = ['created_at', 'customerId', 'amount', 'status', 'active']
const TYPES = ['timestamp with time zone', 'bigint', 'numeric(18,2)', 'text', 'boolean']

const items = Array.from({ length: tables }, (_, table): GenerateItem => {
  const all = Array.from({ length: columns }, (_unused, index) =>
    index === 0
      ? { name: 'id', type: 'bigint', nullable: false }
      : { name: `${NAMES[index % 5]}_${index}`, type: TYPES[index % 5] ?? 'text', nullable: index > 3 },
  )
  return {
    request: {
      type: 'staging',
      source: `raw.shop_${Math.floor(table / 100)}.table_${table}`,
      options: { addTests: true, addDocs: true },
    },
    table: { columns: all, primaryKey: ['id'] },
  }
})

const runs = tables > 1000 ? 1 : 8
let milliseconds = 0
for (let run = 0; run < runs; run++) {
  const start = performance.now()
  generateProject(items, { dialect: 'postgres' })
  milliseconds = performance.now() - start
}

const perSecond = Math.round((tables / milliseconds) * 1000)
const megabytes = Math.round(process.resourceUsage().maxRSS / 1000)
const which = runs > 1 ? 'warm' : 'cold'
process.stdout.write(
  `${milliseconds.toFixed(0)} ms ${which}, ${perSecond} tables/s, ${megabytes} MB at most\n`,
)
