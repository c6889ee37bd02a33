import { type BackendConfig, type BackendName, type LlmSettings, StagecraftError } from '@stagecraft/spec'

export interface BackendFlags {
  /** False for `--no-backend`. */
  readonly backend?: BackendName | false
  readonly model?: string
  readonly baseUrl?: string
  readonly onFailure?: 'error' | 'fallback'
  readonly redactNames?: boolean
  readonly refresh?: boolean
  readonly showPrompt?: boolean
}

export interface BackendSettings extends Pick<BackendConfig, 'model' | 'baseUrl' | 'cassettes'> {
  readonly name: BackendName
  /** True if the address comes from a configuration file, which may have been written by someone else. */
  readonly isConfiguredUrl: boolean
}

/** The chosen backend and its settings. */
export interface BackendChoice {
  /** Undefined to use rules only. */
  readonly backend: BackendSettings | undefined
  readonly settings: LlmSettings
}

/** @throws {StagecraftError} INVALID_REQUEST for backend flags without a backend. */
function refuseLoneFlags({ baseUrl, model, refresh }: BackendFlags): void {
  const lone = [
    ...(model === undefined ? [] : ['--model']),
    ...(baseUrl === undefined ? [] : ['--base-url']),
    ...(refresh ? ['--refresh'] : []),
  ]
  if (lone.length === 0) return
  const expected = '--backend <name> as well, or backend: name: in stagecraft.yml'
  throw new StagecraftError('INVALID_REQUEST', `${lone.join(', ')}: expected ${expected}, got neither`, {
    details: { faults: lone.map((path) => ({ path, expected, received: 'neither' })) },
  })
}

/** Applies the flags over the configuration. Settings for one kind of backend do not apply to another. */
export function chooseBackend(flags: BackendFlags, config: BackendConfig = {}): BackendChoice {
  const { baseUrl, cassettes, model, name: configured, ...settings } = config
  const name = flags.backend === false ? undefined : (flags.backend ?? configured)
  if (name === undefined) refuseLoneFlags(flags)
  const isConfigured = name === configured
  return {
    backend: name && {
      name,
      ...(isConfigured && {
        ...(model !== undefined && { model }),
        ...(baseUrl !== undefined && { baseUrl }),
      }),
      ...(cassettes !== undefined && { cassettes }),
      ...(flags.model !== undefined && { model: flags.model }),
      ...(flags.baseUrl !== undefined && { baseUrl: flags.baseUrl }),
      isConfiguredUrl: isConfigured && flags.baseUrl === undefined && baseUrl !== undefined,
    },
    settings: {
      onFailure: 'fallback',
      ...settings,
      ...(flags.onFailure && { onFailure: flags.onFailure }),
      ...(flags.redactNames && { redactNames: true }),
    },
  }
}
