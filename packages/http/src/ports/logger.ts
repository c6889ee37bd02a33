/**
 * The members of a logger that are used; a logger of pino has them. Keys, bodies and the header Authorization
 * are never given to it.
 */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const SILENT: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
