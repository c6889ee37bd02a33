import { createRandom } from '../../random.ts'
import type { SourceBuilder } from '../../raw-table.ts'
import { createBalance } from './balance.ts'
import { invoices, subscriptions } from './billing.ts'
import { charges, movementsBySource, refunds } from './charges.ts'
import { customers } from './customers.ts'
import { createLedger } from './ledger.ts'
import { balanceTransactions, payouts } from './treasury.ts'

/** Payments, loaded by Airbyte into deduplicated streams. Amounts are in cents, times in epoch seconds. */
export const stripe: SourceBuilder = (company) => {
  const random = createRandom('stripe')
  const ledger = createLedger(company, random)
  const balance = createBalance(ledger.charges, random)
  const movements = movementsBySource(balance)
  return {
    schema: 'stripe',
    loader: 'Airbyte',
    tables: [
      customers(ledger),
      subscriptions(ledger),
      invoices(ledger),
      charges(ledger.charges, movements),
      refunds(ledger.charges, movements),
      balanceTransactions(balance),
      payouts(balance),
    ],
  }
}
