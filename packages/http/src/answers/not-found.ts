import { StagecraftError } from '@stagecraft/spec'
import { Refusal } from './refusal.ts'

/** The error for a path that is not there, or is there for other methods. */
export function notFound(method: string, path: string, allowed: readonly string[]): StagecraftError {
  const shown = path.length > 200 ? `${path.slice(0, 200)}...` : path
  if (allowed.length === 0) {
    return new StagecraftError('NOT_FOUND', `no such path: ${shown}; /openapi.json lists all paths`)
  }
  const suggestion = `use ${allowed.join(' or ')}`
  return new Refusal('NOT_FOUND', `${shown} does not know the method ${method}; ${suggestion}`, {
    headers: { allow: allowed.join(', ') },
    details: { suggestion },
  })
}
