import type { EngineAnswer } from '@stagecraft/core'
import {
  type ErrorEnvelope,
  StagecraftError,
  type SuccessEnvelope,
  systemClock,
  timeSortedIds,
} from '@stagecraft/spec'
import { redactError, redactMessages } from '@stagecraft/spec/redact-secrets'

/** Prints answers like the service: one envelope, or a list. */
export function printEnvelopes(answers: readonly (EngineAnswer | StagecraftError)[], single: boolean): void {
  const envelopes = answers.map((answer) =>
    answer instanceof StagecraftError ? errorEnvelope(answer) : successEnvelope(answer),
  )
  print(single ? envelopes[0] : envelopes)
}

/** Prints an error like the service. */
export function printError(error: StagecraftError): void {
  print(errorEnvelope(error))
}

function successEnvelope({ data, meta }: EngineAnswer): SuccessEnvelope {
  return redactMessages({ success: true, data, meta })
}

function errorEnvelope({ code, details, message }: StagecraftError): ErrorEnvelope {
  return {
    success: false,
    error: redactError({ code, message, ...(details && { details }) }),
    meta: { requestId: timeSortedIds(systemClock).next('req') },
  }
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
