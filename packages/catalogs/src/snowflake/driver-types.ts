/** The callback of the driver's functions. */
type Done<Result extends readonly unknown[]> = (error: Error | undefined, ...result: Result) => void

export interface SnowflakeStatement {
  readonly cancel: (done: Done<[]>) => void
}

export interface SnowflakeConnection {
  /** Connects, and opens the browser if the authenticator requires it. */
  readonly connectAsync: () => Promise<unknown>
  readonly execute: (options: {
    readonly sqlText: string
    readonly binds: string[]
    readonly parameters: Record<string, string | number>
    readonly complete: Done<
      [statement: unknown, rows: readonly Readonly<Record<string, unknown>>[] | undefined]
    >
  }) => SnowflakeStatement
  readonly destroy: (done: Done<[]>) => void
}

/** The parts of snowflake-sdk that the catalog uses. The package is not installed here, because it takes 122 MB. */
export interface SnowflakeDriver {
  readonly configure: (options: {
    readonly logLevel: 'OFF'
    readonly additionalLogToConsole: false
  }) => unknown
  readonly createConnection: (options: Record<string, unknown>) => SnowflakeConnection
}
