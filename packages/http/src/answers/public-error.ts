import { ERROR_CODES, type ErrorCode, StagecraftError } from '@stagecraft/spec'
import type { Logger } from '../ports/logger.ts'
import { type Answer, ClientDisconnected, Refusal, failure } from './answer.ts'

/** Returns the response to a failure, and logs the details that the response leaves out. */
export function answerError(
  error: unknown,
  { logger, requestId }: { readonly logger: Logger; readonly requestId: string },
): Answer {
  if (error instanceof ClientDisconnected) {
    logger.info({ requestId }, 'the client disconnected')
    return failure(unexpected(), requestId)
  }
  if (!isKnown(error)) {
    logger.error({ requestId, error: describe(error) }, 'unexpected error')
    return failure(unexpected(), requestId)
  }
  if (error.code === 'CONNECTION_FAILED' || error.code === 'GENERATION_FAILED') {
    logger.warn({ requestId, code: error.code, error: describe(error) }, 'the request failed')
  }
  try {
    return failure(publicError(error), requestId)
  } catch (unprintable) {
    logger.error({ requestId, error: describe(unprintable) }, 'an error has details that are not JSON')
    return failure(new StagecraftError(error.code, error.message), requestId)
  }
}

/** A second copy of the spec in `node_modules` has its own error class. */
function isKnown(error: unknown): error is StagecraftError {
  if (error instanceof StagecraftError) return true
  return error instanceof Error && error.name === 'StagecraftError' && 'code' in error && isCode(error.code)
}

function isCode(code: unknown): code is ErrorCode {
  return ERROR_CODES.some((known) => known === code)
}

/** What failed, by the `part` of a connection error's details. */
const PROBLEMS: Readonly<Record<string, string>> = {
  git: 'Git failed',
  store: 'the store of the service cannot be used now',
}

/**
 * Returns the error that the caller may see. A connection error keeps its reason, but not the address of the
 * warehouse or its files.
 */
function publicError(error: StagecraftError): StagecraftError {
  const { code, details, message } = error
  if (error instanceof Refusal) return error
  if (code === 'CONNECTION_FAILED') {
    const reason = typeof details?.['reason'] === 'string' ? details['reason'] : 'the log has the reason'
    const problem = PROBLEMS[String(details?.['part'])] ?? 'the warehouse cannot be read'
    return new StagecraftError(code, `${problem}: ${reason}`, { details: { reason } })
  }
  if (code === 'INVALID_SOURCE' && details?.suggestion === undefined) {
    const suggestion = 'check that the source exists and is accessible'
    return new StagecraftError(code, message, { details: { ...details, suggestion } })
  }
  if (code === 'INVALID_REQUEST' && details?.faults === undefined) {
    const faults = [{ path: '', expected: 'a valid request', received: message }]
    return new StagecraftError(code, message, { details: { ...details, faults } })
  }
  return error
}

function unexpected(): StagecraftError {
  return new StagecraftError(
    'GENERATION_FAILED',
    'the request failed unexpectedly; the log of the service has the reason, under the request id',
  )
}

/** Returns name, message and stack, without the extra members that drivers add to errors. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: `a value of type ${typeof error} was thrown` }
  const { cause, message, name, stack } = error
  return { name, message, stack, ...(cause instanceof Error && { cause: cause.message }) }
}
