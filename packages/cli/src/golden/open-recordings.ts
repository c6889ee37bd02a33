import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { scripted } from '@stagecraft/llm'
import { replay } from '@stagecraft/llm/replay'
import { type Backend, type LlmOptions, StagecraftError } from '@stagecraft/spec'
import { chooseBackend } from '../backend/choose-backend.ts'
import { openLive } from '../backend/open-backend.ts'
import type { GoldenCase } from './golden-case.ts'

/**
 * The recordings of a case whose configuration names a backend: in `recordings/` beside its input. An update records
 * anew: the answers of a case that is made up, else those of the backend itself, when STAGECRAFT_LLM_MODE says so.
 */
export async function openRecordings(
  { config, folder, input }: Pick<GoldenCase, 'config' | 'folder' | 'input'>,
  { update }: { readonly update: boolean },
): Promise<LlmOptions | undefined> {
  const { backend: chosen, settings } = chooseBackend({}, config.backend)
  if (!chosen) return undefined
  const recordings = join(folder, 'recordings')
  const id = chosen.name === 'replay' ? chosen.model : `${chosen.name}:${chosen.model}`
  if (chosen.model === undefined) {
    throw new StagecraftError(
      'INVALID_REQUEST',
      'backend.model: expected the model that was recorded, got nothing',
    )
  }
  const live = update ? await liveBackend(chosen, input) : undefined
  if (!live) return { ...settings, backend: replay({ folder: recordings, ...(id && { id }) }) }
  await rm(recordings, { recursive: true, force: true })
  return {
    ...settings,
    backend: replay({ folder: recordings, mode: 'record', backend: live, ...(id && { id }) }),
  }
}

async function liveBackend(
  settings: NonNullable<ReturnType<typeof chooseBackend>['backend']>,
  { answers }: GoldenCase['input'],
): Promise<Backend | undefined> {
  if (answers)
    return scripted(answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer))))
  if (process.env['STAGECRAFT_LLM_MODE'] !== 'record' || settings.name === 'replay') return undefined
  return openLive(settings.name, settings, process.env)
}
