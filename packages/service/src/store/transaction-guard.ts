import { AsyncLocalStorage } from 'node:async_hooks'

/** Tracks the code that runs inside a transaction of one store. */
export interface TransactionGuard {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** @throws {Error} If the caller runs inside an open transaction. */
  assertOutside(): void
}

/**
 * Detects the use of the store's own handle inside a transaction. On SQLite it would deadlock with the transaction. On
 * PostgreSQL it would seem to work, until all connections are in such transactions.
 */
export function transactionGuard(): TransactionGuard {
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()
  return {
    run: async (work) => {
      // Work that outlives its transaction, such as a timer, is outside again.
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
