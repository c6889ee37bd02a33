import type { LlmOptions } from '@stagecraft/spec'
import { type BackendFlags, chooseBackend } from '../backend/choose-backend.ts'

/**
 * Opens the language model that flags name for all projects; undefined for the rules alone. There is no configuration
 * file for all of them.
 */
export async function openServiceLlm(flags: BackendFlags): Promise<LlmOptions | undefined> {
  const { backend, settings } = chooseBackend(flags, undefined)
  if (!backend) return undefined
  const { openBackend } = await import('../backend/open-backend.ts')
  const options = { folder: '.', refresh: flags.refresh ?? false, environment: process.env }
  return { ...settings, backend: await openBackend(backend, options) }
}
