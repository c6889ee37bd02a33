import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { StagecraftError } from '@stagecraft/spec'
import { truthNames } from '../dbt/truth.ts'
import { type BackendChoice, type BackendKind, isBackendKind, KINDS } from './plan-backends.ts'

export interface PlanOptions {
  readonly backends: readonly BackendChoice[]
  readonly databases: readonly string[]
  /** Most tables of one database. */
  readonly limit: number | undefined
  readonly perDatabase: boolean
  readonly help: boolean
}

export const USAGE = `Usage: bench:plans [options]

Counts what is planned for the databases of test/fixtures/truth: by the rules, and by each backend given.

  --databases a,b      some of: ${truthNames.join(', ')}
  --limit N            the first N tables of each
  --per-database       one line for each database, too
  --backend kind       one of: ${KINDS.join(', ')}; may be repeated
and for the backend before it:
  --model m            default: that of the backend; for replay the id, anthropic:claude-haiku-5-5
  --base-url u         of the API
  --cassettes folder   where answers are recorded; replay reads them there

Keys are read from ANTHROPIC_API_KEY and OPENAI_API_KEY; openai-compatible sends none.
`

const OPTIONS = {
  backend: { type: 'string', multiple: true },
  model: { type: 'string', multiple: true },
  'base-url': { type: 'string', multiple: true },
  cassettes: { type: 'string', multiple: true },
  databases: { type: 'string' },
  limit: { type: 'string' },
  'per-database': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsOptionsConfig

/** @throws {StagecraftError} INVALID_REQUEST for what cannot be run. */
export function readPlanOptions(parameters: readonly string[]): PlanOptions {
  const { tokens, values } = parse(parameters)
  return {
    backends: readBackends(
      tokens.flatMap((token) => (token.kind === 'option' ? [[token.name, token.value ?? '']] : [])),
    ),
    databases: readDatabases(values.databases),
    limit: readLimit(values.limit),
    perDatabase: values['per-database'],
    help: values.help,
  }
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({ args: [...parameters], options: OPTIONS, tokens: true })
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause), cause)
  }
}

const OF_BACKENDS: Readonly<Record<string, Exclude<keyof BackendChoice, 'kind'>>> = {
  model: 'model',
  'base-url': 'baseUrl',
  cassettes: 'cassettes',
}

/** In the order in which they were given: what follows a backend is about it. */
function readBackends(given: readonly (readonly string[])[]): readonly BackendChoice[] {
  const backends: BackendChoice[] = []
  for (const [name = '', value = ''] of given) {
    const last = backends.at(-1)
    const member = OF_BACKENDS[name]
    if (name === 'backend') backends.push({ kind: kindOf(value) })
    else if (member && !last) throw invalid(`--${name}: expected a --backend before it`)
    else if (member && last) backends.splice(-1, 1, { ...last, [member]: value })
  }
  return backends
}

function kindOf(text: string): BackendKind {
  if (isBackendKind(text)) return text
  throw invalid(`--backend: expected one of ${KINDS.join(', ')}, got "${text}"`)
}

function readDatabases(text: string | undefined): readonly string[] {
  const names = text?.split(',') ?? truthNames
  const unknown = names.find((name) => !truthNames.includes(name))
  if (unknown === undefined) return [...new Set(names)]
  throw invalid(`--databases: expected some of ${truthNames.join(', ')}, got "${unknown}"`)
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw invalid(`--limit: expected a whole number from 1, got "${text}"`)
}

function invalid(message: string, cause?: unknown): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', message, { cause })
}
