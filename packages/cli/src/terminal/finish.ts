import { StagecraftError } from '@stagecraft/spec/errors'
import { redactSecrets } from '@stagecraft/spec/redact-secrets'
import { EXIT_BUG, EXIT_CODES, EXIT_INTERRUPTED } from '../exit-codes.ts'
import { paint } from './paint.ts'

/** The error with which Ctrl-C aborts a run. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/**
 * Reports an error: for people on standard error, for programs that requested JSON as the error envelope on standard
 * output, and as the exit code.
 */
export async function finish(error: unknown, { json }: { readonly json: boolean }): Promise<void> {
  if (error instanceof Interrupted) {
    process.stderr.write('stopped; nothing was written\n')
    process.exitCode = EXIT_INTERRUPTED
  } else if (error instanceof StagecraftError) {
    if (json) (await import('./envelopes.ts')).printError(error)
    else await printMessage(error)
    process.exitCode = EXIT_CODES[error.code]
  } else {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(
      `${paint('red', 'error')} stagecraft failed unexpectedly; please report this:\n${redactSecrets(detail)}\n`,
    )
    process.exitCode = EXIT_BUG
  }
}

async function printMessage({ code, details, message }: StagecraftError): Promise<void> {
  const { toShown } = await import('./to-shown.ts')
  process.stderr.write(`${paint('red', `error[${code}]`)} ${toShown(message)}\n`)
  // An invalid request is fully explained by its message; the other codes have more to read.
  const more = code === 'INVALID_REQUEST' ? '' : `stagecraft explain ${code} shows cause and remedy`
  const suggestion = details?.suggestion ?? more
  if (!message.includes(suggestion)) process.stderr.write(`  ${toShown(suggestion)}\n`)
}
