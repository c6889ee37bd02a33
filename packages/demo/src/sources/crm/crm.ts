import type { RawSource } from '../../raw-table.ts'
import { accounts, contacts } from './accounts.ts'
import { opportunities } from './opportunities.ts'
import { tasks } from './tasks.ts'
import { users } from './users.ts'

/** Sales to other shops: the database of the CRM, every change of which Stitch appends. */
export const crm = (): RawSource => ({
  schema: 'crm',
  loader: 'Stitch',
  tables: [users(), accounts(), contacts(), opportunities(), tasks()],
})
