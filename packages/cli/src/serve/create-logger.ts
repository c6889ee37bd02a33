import { redactSecrets } from '@stagecraft/spec'
import { destination, type Logger, pino } from 'pino'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/**
 * Writes lines of JSON to standard error synchronously, so that none is lost when the process ends. Texts in the form
 * of a secret are masked, so callers need not check paths and errors.
 */
export function createLogger(level: LogLevel): Logger {
  const standardError = destination({ fd: 2, sync: true })
  return pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    { write: (line) => standardError.write(redactSecrets(line)) },
  )
}
