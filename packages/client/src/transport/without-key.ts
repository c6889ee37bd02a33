import { StagecraftError } from '@stagecraft/spec'

/** Shorter texts are not secrets, and occur in many messages. */
const SHORTEST_KEY = 8

/** Masks the key in a text, because a service or proxy may echo it. */
export function withoutKey(error: StagecraftError, apiKey: string | undefined): StagecraftError {
  if (apiKey === undefined) return error
  const text = JSON.stringify([error.message, error.details])
  if (apiKey.length < SHORTEST_KEY || !text.includes(apiKey)) return error
  const [message, details] = JSON.parse(text.replaceAll(apiKey, '[key]')) as [
    string,
    StagecraftError['details'],
  ]
  return new StagecraftError(error.code, message, { ...(details && { details }) })
}
