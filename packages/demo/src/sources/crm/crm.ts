import type { RawSource } from '../../raw-table.ts'
import { accounts, contacts } from './accounts.ts'
import { opportunities } from './opportunities.ts'
import { tasks } from './tasks.ts'
import { users } from './users.ts'

/** The database of the CRM, for sales to other shops. Stitch appends every change of it. */
export const crm = (): RawSource => ({
  schema: 'crm',
  loader: 'Stitch',
  tables: [users(), accounts(), contacts(), opportunities(), tasks()],
})
