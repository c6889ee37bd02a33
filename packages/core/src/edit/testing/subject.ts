import type { CatalogTable, ColumnEdit, TestProposal } from '@stagecraft/spec'
import type { GenerateContext } from '../../run/run-item.ts'
import type { CheckInput } from '../check-input.ts'
import { planContexts } from './plan-contexts.ts'
import { editableColumns, type EditSubject, editSubject } from '../task.ts'

export const CUSTOMERS: CatalogTable = {
  name: 'customers',
  columns: [
    { name: 'id', type: 'bigint' },
    { name: 'email', type: 'text' },
  ],
  primaryKey: ['id'],
}

export const ORDERS: CatalogTable = {
  name: 'orders',
  columns: [
    { name: 'id', type: 'bigint' },
    { name: 'customer', type: 'bigint' },
    { name: 'note', type: 'text', comment: 'What was noted.' },
    { name: 'amount', type: 'bigint' },
    { name: 'state', type: 'text', values: ['new', 'paid'] },
    { name: 'seen', type: 'timestamp' },
  ],
  primaryKey: ['id'],
  foreignKeys: [{ columns: ['customer'], references: { table: { name: 'customers' }, columns: ['id'] } }],
}

/** Creates the subject of an edit for the first of some tables. */
export function subjectOf(
  tables: readonly CatalogTable[] = [ORDERS, CUSTOMERS],
  context: GenerateContext = {},
): EditSubject {
  const items = tables.map((table) => ({
    request: { type: 'staging', source: `shop.${table.name}` } as const,
    table,
  }))
  const [plan] = planContexts(items, { dialect: 'postgres', ...context })
  if (!plan) throw new Error('there is no table')
  return editSubject(plan)
}

/** Creates the input of a check in which all columns were asked about. */
export function inputOf(subject = subjectOf(), over: Partial<CheckInput> = {}): CheckInput {
  return {
    subject,
    asked: editableColumns(subject),
    before: [],
    redactNames: false,
    gate: undefined,
    ...over,
  }
}

/** Creates an edit of a column; members that are not given are empty. */
export function about(ordinal: number, said: Partial<ColumnEdit> = {}): ColumnEdit {
  return { ordinal, name: null, description: null, operation: null, tests: [], ...said }
}

/** Creates a proposed test; members that are not given are empty. */
export function proposal(name: TestProposal['name'], said: Partial<TestProposal> = {}): TestProposal {
  return { name, values: null, table: null, column: null, ...said }
}
