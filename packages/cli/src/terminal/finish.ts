import { StagecraftError } from '@stagecraft/spec/errors'
import { redactSecrets } from '@stagecraft/spec/redact-secrets'
import { EXIT_BUG, EXIT_CODES, EXIT_INTERRUPTED } from '../exit-codes.ts'
import { paint } from './paint.ts'

/** The error that a Ctrl-C aborts a run with. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/**
 * Tells what went wrong: people on standard error, programs that asked for JSON by the error envelope on
 * standard output, and the shell by the exit code.
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
  // A faulty request says all there is to say; the other codes have more to read.
  const more = code === 'INVALID_REQUEST' ? '' : `stagecraft explain ${code} shows cause and remedy`
  const suggestion = details?.suggestion ?? more
  if (!message.includes(suggestion)) process.stderr.write(`  ${toShown(suggestion)}\n`)
}
