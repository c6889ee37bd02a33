/** A service to try, and what is known of it. Nothing of its code is used. */
export interface Target {
  /** Base address of `POST /generate`, without a slash at its end. */
  readonly baseUrl: string
  /** Address of what is under `/v1`, without a slash at its end. */
  readonly apiUrl: string
  /** A key of all scopes. */
  readonly key: string
  /** Where deliveries are received, on this machine. Port 0 for any that is free. */
  readonly receiver: { readonly host: string; readonly port: number }
  /** How the service reaches that. Default: `http:` to its host and port. */
  readonly receiverUrl?: string
  /** A table of the warehouse that tests are known for. Default: one is looked for by a scan. */
  readonly source?: string
  /** The quota of a key, when it is known and small enough to be used up. */
  readonly requestsPerMinute?: number
  /** How long the service lets a generation take, when it is known and short enough to wait for. */
  readonly deadlineSeconds?: number
  /** Fail where something cannot be tried; it is reported as not run otherwise. */
  readonly isStrict: boolean
}
