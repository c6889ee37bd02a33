import { StagecraftError } from '@stagecraft/spec'
import type { GenerateFlags } from './generate.ts'

/** Flags that the configuration of the service decides, so a client may not set them. */
const FLAGS = {
  all: '--all',
  catalog: '--catalog',
  config: '--config',
  dialect: '--dialect',
  schema: '--schema',
  dbtVersion: '--dbt-version',
  preset: '--preset',
  backend: '--backend',
  model: '--model',
  baseUrl: '--base-url',
  onFailure: '--on-failure',
  redactNames: '--redact-names',
  refresh: '--refresh',
  showPrompt: '--show-prompt',
} as const satisfies Partial<Record<keyof GenerateFlags, string>>

/** @throws {StagecraftError} INVALID_REQUEST for flags and sources that do not work with a service. */
export function assertServerFlags(sources: readonly string[], flags: GenerateFlags): void {
  assertFlags(flags)
  assertNames(sources)
  if (sources.length > 1) assertAnswersOnly(sources, flags)
}

function assertFlags(flags: GenerateFlags): void {
  const given = Object.entries(FLAGS)
    .filter(([name]) => flags[name as keyof typeof FLAGS] !== undefined)
    .map(([, flag]) => (flag === '--backend' && flags.backend === false ? '--no-backend' : flag))
  if (given.length === 0) return
  const expected = 'not with --server, because the service has its own catalog and configuration'
  throw new StagecraftError('INVALID_REQUEST', `${given.join(', ')}: ${expected}`, {
    details: { faults: given.map((path) => ({ path, expected, received: 'both' })) },
  })
}

function assertNames(sources: readonly string[]): void {
  const pattern = sources.find((source) => source.endsWith('*'))
  if (sources.length > 0 && pattern === undefined) return
  throw refusal(
    'names of tables (raw.stripe.payments), because a service answers for one table at a time',
    pattern ?? 'none',
  )
}

/** Tables of one source share their YAML files, but a service creates them for a single table. */
function assertAnswersOnly(sources: readonly string[], { json, out }: GenerateFlags): void {
  if (json && out === undefined) return
  const expected = 'one source, or --json without --out'
  const reason = 'a service generates each table alone, and several would share files'
  throw refusal(`${expected}, because ${reason}`, `${sources.length} sources`)
}

function refusal(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: '--server', expected, received })
}
