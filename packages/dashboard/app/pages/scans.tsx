import type { ScanChanges, ScanResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Id, Page, Path, Pill, Time } from '../parts/basics.tsx'
import { ConnectionField, useConnectionNames } from '../parts/connection-field.tsx'
import { duration, number } from '../parts/format.ts'
import { Check, Dialog, Form, Select, textOf } from '../parts/forms.tsx'
import { asJobState, Failure, JOB_OPTIONS, Stop, tookOf, Warnings } from '../parts/jobs.tsx'
import { Empty, Needs, NoMatch, Show } from '../parts/states.tsx'
import { type Column, List, PAGE, Table, useList } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

const text = words.scans

/** Shows a scan in the list, with the name of its connection if known. */
type ListedScan = ScanResource & { readonly connection: string | undefined }

const COLUMNS: readonly Column<ListedScan>[] = [
  {
    title: text.one,
    cell: ({ id }) => (
      <a href={href(`/scans/${id}`)}>
        {text.one} <code>{id.slice(-6)}</code>
      </a>
    ),
  },
  {
    title: text.connection,
    look: 'break narrow',
    cell: ({ connection }) => connection ?? words.none,
  },
  { title: words.state, cell: ({ state }) => <Pill state={state} /> },
  {
    title: text.tables,
    look: 'end',
    cell: ({ progress, state, tables }) =>
      state === 'running' && progress
        ? text.progress(progress.done, progress.total)
        : tables === undefined
          ? words.none
          : number(tables),
  },
  {
    title: text.duration,
    look: 'end narrow',
    cell: (scan) => {
      const took = tookOf(scan)
      return took === undefined ? words.none : duration(took)
    },
  },
  { title: words.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Lists the scans of the project, and starts new ones. */
export function Scans() {
  const [isOpen, setOpen] = useState(false)
  const mayWrite = useMay('write')
  const { query } = usePlace()
  const state = asJobState(query.get('state'))
  const loaded = useList(
    `scans ${state}`,
    async (cursor) => {
      const [{ items, nextCursor }, connections] = await Promise.all([
        client.scans.list({ state, limit: PAGE }).page({ cursor }),
        client.connections.list({ limit: 200 }).page(),
      ])
      const names = new Map(connections.items.map(({ id, name }) => [id, name]))
      return {
        items: items.map((scan) => ({ ...scan, connection: names.get(scan.connectionId) })),
        nextCursor,
      }
    },
    ['scan', 'connection'],
  )
  const button = (
    <button type="button" class="main" onClick={() => setOpen(true)}>
      {text.create}
    </button>
  )
  return (
    <Page title={text.title} actions={mayWrite && button}>
      <Needs scope="read">
        <div class="filters">
          <Select label={words.state} name="state" options={JOB_OPTIONS} />
        </div>
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          empty={
            state ? (
              <NoMatch text={text.emptyFilter} />
            ) : (
              <Empty text={text.empty}>{mayWrite && button}</Empty>
            )
          }
          columns={COLUMNS}
        />
      </Needs>
      {isOpen && <NewScan onClose={() => setOpen(false)} />}
    </Page>
  )
}

function NewScan({ onClose }: { readonly onClose: () => void }) {
  const begin = async (data: FormData): Promise<void> => {
    const connectionId = textOf(data, 'connectionId')
    const scan = await client.scans.create({
      profile: data.get('profile') !== null,
      ...(connectionId !== '' && { connectionId }),
    })
    navigate(href(`/scans/${scan.id}`))
  }
  return (
    <Dialog title={text.create} onClose={onClose}>
      <Form label={text.create} onSend={begin}>
        <ConnectionField />
        <Check name="profile" label={text.profile} hint={text.profileHint} />
      </Form>
    </Dialog>
  )
}

/** Shows a scan: its progress, and the changes since the previous one. */
export function Scan({ params: { scanId = '' } }: PageProps) {
  const loaded = useResource(`scan ${scanId}`, (signal) => client.scans.get(scanId, { signal }), ['scan'])
  const { data } = loaded
  const stop = async (): Promise<void> => {
    await client.scans.cancel(scanId)
    loaded.reload()
  }
  return (
    <Page
      title={text.one}
      up={{ href: href('/scans'), title: text.title }}
      actions={data && <Stop state={data.state} label={text.cancel} stop={stop} />}
    >
      <Needs scope="read">
        <Show loaded={loaded}>
          {(scan) => (
            <>
              <Failure error={scan.error} />
              <Facts scan={scan} />
              <Warnings title={text.warnings} warnings={scan.warnings} />
              {scan.changes && <Changes changes={scan.changes} />}
            </>
          )}
        </Show>
      </Needs>
    </Page>
  )
}

function Facts({ scan }: { readonly scan: ScanResource }) {
  const { columns, connectionId, createdAt, id, progress, state, tables } = scan
  const connection = useConnectionNames().get(connectionId)
  const took = tookOf(scan)
  return (
    <dl>
      <dt>{words.state}</dt>
      <dd>
        <Pill state={state} />{' '}
        {state === 'running' && progress && (
          <>
            <progress max={progress.total} value={progress.done} aria-label={text.tables} />{' '}
            {text.progress(progress.done, progress.total)}
          </>
        )}
      </dd>
      <dt>{text.connection}</dt>
      <dd>{connection ?? words.none}</dd>
      <dt>{words.id}</dt>
      <dd>
        <Id id={id} />
      </dd>
      <dt>{words.time}</dt>
      <dd>
        <Time at={createdAt} isFull /> {took !== undefined && `· ${duration(took)}`}
      </dd>
      {tables !== undefined && (
        <>
          <dt>{text.tables}</dt>
          <dd>{number(tables)}</dd>
          <dt>{text.columns}</dt>
          <dd>{number(columns ?? 0)}</dd>
        </>
      )}
    </dl>
  )
}

/** One line of what has changed. */
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

function Changes({ changes }: { readonly changes: ScanChanges }) {
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
