/** The source of time; a fixed one makes output repeatable. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

/** The source of identifiers. */
export interface Ids {
  /** A fresh identifier with the given prefix: `next('req')` is `req_01k…`. Sorts by creation time. */
  next(prefix: IdPrefix): string
}

/** The prefix of an identifier, which tells its kind. */
export type IdPrefix =
  | 'req'
  | 'proj'
  | 'key'
  | 'conn'
  | 'scan'
  | 'unit'
  | 'gen'
  | 'push'
  | 'evt'
  | 'whk'
  | 'dlv'
