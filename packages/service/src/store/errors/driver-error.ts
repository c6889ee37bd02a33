/**
 * The errors of the drivers: pg has SQLSTATE or a network error as `code`, node:sqlite a number as `errcode`.
 */
export interface DriverError {
  readonly code: string | undefined
  /** The extended result code of SQLite; its lowest byte is the primary one. */
  readonly errcode: number | undefined
  readonly message: string
}

/** The error of a driver, or of the driver below an error of ours. */
export function driverError(error: unknown): DriverError {
  const thrown = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code, errcode, message } = Object(thrown) as Readonly<Record<string, unknown>>
  return {
    code: typeof code === 'string' ? code : undefined,
    errcode: typeof errcode === 'number' ? errcode : undefined,
    message: typeof message === 'string' ? message : '',
  }
}

/** The result code of SQLite without its extension, for an error of node:sqlite. */
export function sqliteCode({ errcode }: DriverError): number | undefined {
  return errcode === undefined ? undefined : errcode & 0xff
}
