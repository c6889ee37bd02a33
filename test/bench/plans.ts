// Prints how good plans are: those of the rules, and those of each backend given. Run: pnpm bench:plans
import { type Backend, StagecraftError } from '@stagecraft/spec'
import { EXIT_BUG, EXIT_CODES, EXIT_INTERRUPTED } from '../../packages/cli/src/exit-codes.ts'
import { type Figures, sumFigures } from './figures.ts'
import { measurePlans } from './measure-plans.ts'
import { createBackend } from './plan-backends.ts'
import { truthDatabase } from './plan-database.ts'
import { type PlanOptions, readPlanOptions, USAGE } from './plan-options.ts'
import { printFailures, printFigures, printHeader } from './print-figures.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const write = (text: string): boolean => process.stdout.write(`${text}\n`)

async function measureAll(backend: Backend | undefined, options: PlanOptions): Promise<void> {
  const all: Figures[] = []
  for (const name of options.databases) {
    stop.signal.throwIfAborted()
    const figures = await measurePlans(truthDatabase(name, options), { backend, signal: stop.signal })
    if (options.perDatabase) write(printFigures(`  ${name}`, figures))
    all.push(figures)
  }
  const [first, ...others] = all
  if (!first) return
  const sum = sumFigures([first, ...others])
  write([printFigures(backend?.id ?? 'template', sum), ...printFailures(sum)].join('\n'))
}

async function main(parameters: readonly string[]): Promise<void> {
  const options = readPlanOptions(parameters)
  if (options.help) return void write(USAGE.trimEnd())
  const backends = options.backends.map((choice) => createBackend(choice, process.env))
  write(`node test/bench/plans.ts ${parameters.map(quote).join(' ')}`.trimEnd())
  write('The tables are given with types, NOT NULL and lists of values, and without their keys.\n')
  write(printHeader())
  for (const backend of [undefined, ...backends]) await measureAll(backend, options)
}

function quote(parameter: string): string {
  return /^[\w@%+=:,./-]+$/.test(parameter) ? parameter : `'${parameter.replaceAll("'", String.raw`'\''`)}'`
}

/** @returns The exit code. */
function fail(error: unknown): number {
  if (stop.signal.aborted) {
    process.stderr.write('stopped\n')
    return EXIT_INTERRUPTED
  }
  const isExpected = error instanceof StagecraftError
  const text = isExpected ? `error: ${error.message}` : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${text}\n`)
  return isExpected ? EXIT_CODES[error.code] : EXIT_BUG
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = fail(error)
}
