/** SQL that cannot be read: where, what would have been right there, and what was there. */
export class UnreadableSql extends Error {
  readonly offset: number
  readonly expected: string
  readonly received: string

  constructor(offset: number, expected: string, received: string) {
    super(`expected ${expected}, got ${received}`)
    this.name = 'UnreadableSql'
    this.offset = offset
    this.expected = expected
    this.received = received
  }
}

/** The result of the work; undefined when it meets SQL that cannot be read. */
export function unlessUnreadable<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnreadableSql) return undefined
    throw error
  }
}
