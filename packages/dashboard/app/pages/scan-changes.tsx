import type { ScanChanges } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Path } from '../parts/basics.tsx'
import { number } from '../parts/format.ts'
import { Empty } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'

const text = words.scans

/** A changed table or column. */
interface Change {
  readonly sign: '+' | '−' | '~'
  readonly what: string
  readonly table: string
  readonly column: string
  readonly type: string
}

function toChanges(changes: ScanChanges): readonly Change[] {
  const table = (sign: '+' | '−', what: string) => (table: string) => ({
    sign,
    what,
    table,
    column: '',
    type: '',
  })
  return [
    ...changes.tablesAdded.map(table('+', text.tablesAdded)),
    ...changes.tablesRemoved.map(table('−', text.tablesRemoved)),
    ...changes.columnsAdded.map((one) => ({ ...one, sign: '+' as const, what: text.columnsAdded })),
    ...changes.columnsRemoved.map((one) => ({ ...one, sign: '−' as const, what: text.columnsRemoved })),
    ...changes.columnsRetyped.map(({ column, from, table, to }) => ({
      table,
      column,
      sign: '~' as const,
      what: text.columnsRetyped,
      type: `${from} → ${to}`,
    })),
  ]
}

const LOOKS = { '+': 'ok', '−': 'failed', '~': 'warned' }

const code = (name: string) => (
  <code>
    <Path path={name} />
  </code>
)

/** Lists the changes since the previous scan. */
export function Changes({ changes }: { readonly changes: ScanChanges }) {
  const items = toChanges(changes)
  const { columnsAdded, columnsRemoved, columnsRetyped, tablesAdded, tablesRemoved } = changes
  return (
    <>
      <h2>{text.changes}</h2>
      {items.length > 0 && (
        <p class="muted">
          {text.counts(number(tablesAdded.length), number(tablesRemoved.length))}{' '}
          {text.columnCounts(
            number(columnsAdded.length),
            number(columnsRemoved.length),
            number(columnsRetyped.length),
          )}
        </p>
      )}
      {items.length === 0 ? (
        <Empty text={text.noChanges} />
      ) : (
        <Table
          label={text.changes}
          items={items}
          keyOf={({ column, sign, table }) => `${sign} ${table} ${column}`}
          columns={[
            {
              title: words.details,
              cell: ({ sign, what }) => (
                <span class={LOOKS[sign]}>
                  {sign} {what}
                </span>
              ),
            },
            { title: text.table, look: 'break', cell: ({ table }) => code(table) },
            { title: text.column, look: 'break', cell: ({ column }) => code(column) },
            { title: text.type, look: 'narrow', cell: ({ type }) => <code>{type}</code> },
          ]}
        />
      )}
    </>
  )
}
