import { anthropic } from '@stagecraft/llm/anthropic'
import { openai } from '@stagecraft/llm/openai'
import { openaiCompatible } from '@stagecraft/llm/openai-compatible'
import { replay } from '@stagecraft/llm/replay'
import { type Backend, StagecraftError } from '@stagecraft/spec'

export const KINDS = ['anthropic', 'openai', 'openai-compatible', 'replay'] as const

export type BackendKind = (typeof KINDS)[number]

export interface BackendChoice {
  readonly kind: BackendKind
  readonly model?: string
  readonly baseUrl?: string
  /** A folder: `replay` reads answers there, the others record them. */
  readonly cassettes?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const CREATE: Readonly<Record<BackendKind, (choice: BackendChoice, environment: Environment) => Backend>> = {
  anthropic: (choice, environment) =>
    anthropic({ apiKey: keyOf('ANTHROPIC_API_KEY', choice, environment), ...connection(choice) }),
  openai: (choice, environment) =>
    openai({ apiKey: keyOf('OPENAI_API_KEY', choice, environment), ...connection(choice) }),
  // No key: that of OpenAI is not for whoever is at another address.
  'openai-compatible': (choice) =>
    openaiCompatible({ baseUrl: needed('base-url', choice.baseUrl, choice), model: modelOf(choice) }),
  replay: (choice) => replay({ folder: needed('cassettes', choice.cassettes, choice), id: modelOf(choice) }),
}

export function isBackendKind(text: string): text is BackendKind {
  return KINDS.some((kind) => kind === text)
}

/** @throws {StagecraftError} INVALID_REQUEST without key, or for options that the backend does not take. */
export function createBackend(choice: BackendChoice, environment: Environment): Backend {
  const backend = CREATE[choice.kind](choice, environment)
  if (choice.kind === 'replay' || choice.cassettes === undefined) return backend
  return replay({ folder: choice.cassettes, mode: 'record', backend })
}

function connection({ baseUrl, model }: BackendChoice): Pick<BackendChoice, 'baseUrl' | 'model'> {
  return { ...(baseUrl !== undefined && { baseUrl }), ...(model !== undefined && { model }) }
}

function keyOf(variable: string, { kind }: BackendChoice, environment: Environment): string {
  const key = environment[variable]
  if (key) return key
  throw new StagecraftError(
    'INVALID_REQUEST',
    `--backend ${kind}: expected a key in the environment variable ${variable}, got none`,
  )
}

function modelOf(choice: BackendChoice): string {
  return needed('model', choice.model, choice)
}

function needed(option: string, value: string | undefined, { kind }: BackendChoice): string {
  if (value) return value
  throw new StagecraftError('INVALID_REQUEST', `--backend ${kind}: expected --${option} after it, got none`)
}
