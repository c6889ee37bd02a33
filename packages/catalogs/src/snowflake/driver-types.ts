/** The last parameter of the driver's members. */
type Done<Result extends readonly unknown[]> = (error: Error | undefined, ...result: Result) => void

export interface SnowflakeStatement {
  readonly cancel: (done: Done<[]>) => void
}

export interface SnowflakeConnection {
  /** Also opens the browser, where the authenticator asks for one. */
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

/** The members of snowflake-sdk that are used; it is not installed here, since it takes 122 MB. */
export interface SnowflakeDriver {
  readonly configure: (options: {
    readonly logLevel: 'OFF'
    readonly additionalLogToConsole: false
  }) => unknown
  readonly createConnection: (options: Record<string, unknown>) => SnowflakeConnection
}
