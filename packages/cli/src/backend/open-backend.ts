import { join } from 'node:path'
import { cached, withBreaker } from '@stagecraft/llm'
import { type Backend, type BackendName, StagecraftError } from '@stagecraft/spec'
import { ownPath } from '../files/own-path.ts'
import { assertOwnHost } from './own-host.ts'
import type { BackendSettings } from './choose-backend.ts'
import { keepOutOfGit } from './keep-out-of-git.ts'

export interface OpenBackendOptions {
  /** The base folder of paths in the configuration, which also contains the cache. */
  readonly folder: string
  readonly refresh: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}

interface LiveOptions {
  readonly model?: string
  readonly baseUrl?: string
  readonly apiKey?: string
}

/** Creates a backend of each kind from settings and a key. */
interface Kind {
  /** The environment variable of its key. */
  readonly variable: string
  readonly needsKey: boolean
  /** The default host of its key. */
  readonly home?: string
  readonly open: (options: LiveOptions) => Promise<Backend>
}

const KINDS: Readonly<Record<Exclude<BackendName, 'replay'>, Kind>> = {
  anthropic: {
    variable: 'ANTHROPIC_API_KEY',
    home: 'api.anthropic.com',
    needsKey: true,
    open: async ({ apiKey = '', ...options }) => {
      const { anthropic } = await import('@stagecraft/llm/anthropic')
      return anthropic({ ...options, apiKey })
    },
  },
  openai: {
    variable: 'OPENAI_API_KEY',
    home: 'api.openai.com',
    needsKey: true,
    open: async ({ apiKey = '', ...options }) => {
      const { openai } = await import('@stagecraft/llm/openai')
      return openai({ ...options, apiKey })
    },
  },
  'openai-compatible': {
    variable: 'OPENAI_COMPATIBLE_API_KEY',
    needsKey: false,
    open: async ({ baseUrl, model, ...options }) => {
      if (baseUrl === undefined) throw missing('baseUrl', 'the address of the API: --base-url <url>')
      if (model === undefined) throw missing('model', 'the name of a model: --model <name>')
      const { openaiCompatible } = await import('@stagecraft/llm/openai-compatible')
      return openaiCompatible({ ...options, baseUrl, model })
    },
  },
}

/**
 * Opens the chosen backend with a cache in `.stagecraft/cache`. With `STAGECRAFT_LLM_MODE=record` it stores every
 * exchange as a recording; with `replay` it plays recordings without a key.
 *
 * @throws {StagecraftError} INVALID_REQUEST if a key, an address or a model is missing, or recordings are outside the
 * project.
 */
export async function openBackend(settings: BackendSettings, options: OpenBackendOptions): Promise<Backend> {
  const { environment, folder, refresh } = options
  const { replay } = await import('@stagecraft/llm/replay')
  const recordings = ownPath(settings.cassettes ?? '.stagecraft/recordings', {
    name: 'backend.cassettes',
    folder,
    environment,
  })
  if (settings.name === 'replay') {
    if (settings.model === undefined) {
      throw missing('model', 'the id of the recorded backend: --model anthropic:claude-haiku-5-5')
    }
    return replay({ folder: recordings, id: settings.model })
  }
  const mode = modeOf(environment)
  if (mode === 'replay') return replay({ folder: recordings, id: await idOf(settings.name, settings) })
  const backend = withBreaker(await openLive(settings.name, settings, environment))
  if (mode === 'record') return replay({ folder: recordings, mode, backend })
  const cache = join(folder, '.stagecraft', 'cache')
  await keepOutOfGit(cache)
  return cached(backend, { folder: cache, refresh })
}

type Mode = 'replay' | 'record' | 'live'

/** @throws {StagecraftError} INVALID_REQUEST for an unknown mode. */
function modeOf({ STAGECRAFT_LLM_MODE: mode }: OpenBackendOptions['environment']): Mode {
  if (!mode) return 'live'
  if (mode === 'replay' || mode === 'record' || mode === 'live') return mode
  const expected = '"replay", "record" or "live"'
  throw StagecraftError.invalid({ path: 'STAGECRAFT_LLM_MODE', expected, received: `"${mode}"` })
}

/** Returns the id of the backend, created without a real key because nothing is sent with it. */
async function idOf(name: keyof typeof KINDS, settings: BackendSettings): Promise<string> {
  return (await openLive(name, { ...settings, isConfiguredUrl: false }, { [KINDS[name].variable]: 'none' }))
    .id
}

/** Opens the backend without cache and recordings. */
export function openLive(
  name: keyof typeof KINDS,
  { baseUrl, isConfiguredUrl, model }: BackendSettings,
  environment: OpenBackendOptions['environment'],
): Promise<Backend> {
  const { home, needsKey, open, variable } = KINDS[name]
  const apiKey = environment[variable]?.trim()
  if (needsKey && !apiKey)
    throw missing(variable, `the key of ${name} in the environment variable ${variable}`)
  if (apiKey && baseUrl !== undefined && isConfiguredUrl) {
    assertOwnHost(baseUrl, { variable, home, environment })
  }
  return open({
    ...(apiKey && { apiKey }),
    ...(model !== undefined && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
  })
}

function missing(path: string, expected: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', `backend: expected ${expected}, got nothing`, {
    details: { faults: [{ path, expected, received: 'nothing' }] },
  })
}
