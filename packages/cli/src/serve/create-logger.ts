import { redactSecrets } from '@stagecraft/spec'
import { destination, type Logger, pino } from 'pino'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/**
 * Lines of JSON on standard error, written at once, so that none is lost when the process ends. What has the form of a
 * secret is in none of them, wherever it came from: callers need not know that a path or an error holds one.
 */
export function createLogger(level: LogLevel): Logger {
  const standardError = destination({ fd: 2, sync: true })
  return pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    { write: (line) => standardError.write(redactSecrets(line)) },
  )
}
