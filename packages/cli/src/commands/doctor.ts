import { checkCatalog, type CheckStep } from '@stagecraft/catalogs'
import { loadConfig } from '../files/load-config.ts'
import { readVersion } from '../read-version.ts'
import { EXIT_DIFFERENCE } from '../exit-codes.ts'
import { print } from '../terminal/print.ts'
import { toShown } from '../terminal/to-shown.ts'
import { withInterrupt } from '../terminal/with-interrupt.ts'
import { chooseCatalog } from './choose-catalog.ts'
import type { CatalogFlags } from './shared-flags.ts'

export interface DoctorFlags extends CatalogFlags {
  readonly json?: boolean
}

/**
 * Runs `stagecraft doctor`: checks a catalog step by step and prints the results without secrets, so that they can be
 * pasted into a report. The exit code is 1 if a step fails.
 *
 * @throws {StagecraftError} INVALID_REQUEST if no catalog is named.
 */
export async function doctorCommand(schema: string | undefined, flags: DoctorFlags): Promise<void> {
  const { config } = await loadConfig(flags.config)
  const { addresses } = await chooseCatalog(flags, config)
  if (!flags.json) print(heading())
  const steps = await withInterrupt((signal) =>
    checkFirst(addresses, { schema, signal }, (step) => {
      if (!flags.json) print(printStep(step))
    }),
  )
  if (flags.json) print(JSON.stringify({ ...machine(), steps }, null, 2))
  if (steps.some(({ outcome }) => outcome === 'fails')) process.exitCode = EXIT_DIFFERENCE
}

/** The steps that come out the same for each address of a target. */
const SHARED: ReadonlySet<string> = new Set(['address', 'host', 'port', 'driver'])

/** Checks the first address that accepts a connection: a server may offer TLS or not. */
async function checkFirst(
  [address = '', ...others]: readonly string[],
  options: Parameters<typeof checkCatalog>[1],
  tell: (step: CheckStep) => void,
): Promise<readonly CheckStep[]> {
  const steps: CheckStep[] = []
  for await (const step of checkCatalog(address, options)) {
    if (isAboutTls(step) && others.length > 0) {
      const tried: CheckStep = {
        ...step,
        outcome: 'warns',
        remedy: 'the profile allows both ways: trying the other one',
      }
      tell(tried)
      const rest = await checkFirst(others, options, (next) => {
        if (!SHARED.has(next.name)) tell(next)
      })
      return [...steps, tried, ...rest.filter(({ name }) => !SHARED.has(name))]
    }
    steps.push(step)
    tell(step)
  }
  return steps
}

function isAboutTls({ name, outcome, told }: CheckStep): boolean {
  return name === 'connect' && outcome === 'fails' && /\b(?:SSL|TLS|sslmode)\b/i.test(told)
}

function machine(): Readonly<Record<'version' | 'node' | 'platform', string>> {
  return { version: readVersion(), node: process.version, platform: `${process.platform} ${process.arch}` }
}

function heading(): string {
  const { node, platform, version } = machine()
  return `stagecraft ${version}, Node ${node}, ${platform}`
}

const WORDS = { works: 'ok', warns: 'warn', fails: 'FAIL', skipped: 'skip' } as const satisfies Readonly<
  Record<CheckStep['outcome'], string>
>

function printStep({ milliseconds, name, outcome, remedy, told }: CheckStep): string {
  const time = milliseconds === undefined ? '' : ` (${Math.round(milliseconds)} ms)`
  const line = `${WORDS[outcome].padEnd(4)}  ${name.padEnd(20)}  ${toShown(told)}${time}`
  return remedy === undefined ? line : `${line}\n      ${''.padEnd(20)}  ${toShown(remedy)}`
}
