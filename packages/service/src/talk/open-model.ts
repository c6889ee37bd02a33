import type { Backend } from '@stagecraft/spec'
import { anthropic } from '@stagecraft/llm/anthropic'
import { openai } from '@stagecraft/llm/openai'
import { openaiCompatible } from '@stagecraft/llm/openai-compatible'
import { guardedFetch } from '@stagecraft/webhooks'
import type { ServiceContext } from '../context.ts'
import type { AssistantSettingsRow } from '../store/talk-rows.ts'
import { apiKeyPlace } from './stored-settings.ts'

/**
 * Opens the model of a project: its own, that of the service, or undefined to use rules only. The webhook policy
 * applies to addresses of projects, because people outside this machine set them.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a key that was encrypted with another secret key.
 */
export function openModel(
  { cipher, settings }: Pick<ServiceContext, 'cipher' | 'settings'>,
  { api_key, base_url, model, project_id, provider }: AssistantSettingsRow,
): Backend | undefined {
  if (provider === null) return settings.llm?.backend
  const apiKey = api_key === null ? undefined : cipher.open(api_key, apiKeyPlace(project_id))
  const options = {
    ...(model !== null && { model }),
    ...(base_url !== null && { baseUrl: base_url, fetch: guardedFetch(settings.deliveryPolicy) }),
  }
  if (provider === 'anthropic') return anthropic({ ...options, apiKey: apiKey ?? '' })
  if (provider === 'openai') return openai({ ...options, apiKey: apiKey ?? '' })
  return openaiCompatible({
    ...options,
    baseUrl: base_url ?? '',
    model: model ?? '',
    ...(apiKey !== undefined && { apiKey }),
  })
}
