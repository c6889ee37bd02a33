import type { Backend, Editing } from '@stagecraft/spec'
import { type BackendFlags, chooseBackend } from '../backend/choose-backend.ts'

export interface ServiceBackend {
  readonly backend?: Backend
  readonly editing: Editing
}

/** The language model that flags name for all projects; there is no configuration file for all of them. */
export async function openServiceBackend(flags: BackendFlags): Promise<ServiceBackend> {
  const { backend, editing } = chooseBackend(flags, undefined)
  if (!backend) return { editing }
  const { openBackend } = await import('../backend/open-backend.ts')
  const options = { folder: '.', refresh: flags.refresh ?? false, environment: process.env }
  return { backend: await openBackend(backend, options), editing }
}
