import { AsyncLocalStorage } from 'node:async_hooks'

/** Knows what runs inside of a transaction of one store. */
export interface TransactionGuard {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** @throws {Error} when it is called by the work of a transaction that is still open. */
  assertOutside(): void
}

/**
 * Tells the use of the store's own handle inside of a transaction. On SQLite it would wait for the transaction that waits for
 * it; on PostgreSQL it would seem to work, until as many transactions as connections do it at once.
 */
export function transactionGuard(): TransactionGuard {
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()
  return {
    run: async (work) => {
      // work that outlives its transaction, a timer for instance, is outside again
      const transaction = { isOpen: true }
      try {
        return await transactions.run(transaction, work)
      } finally {
        transaction.isOpen = false
      }
    },
    assertOutside: () => {
      if (transactions.getStore()?.isOpen !== true) return
      throw new Error(
        'expected the handle of the open transaction, got the handle of the store; use the one that transaction() gives to its work',
      )
    },
  }
}
