import type { ScanResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { FactList, Id, Page, Pill, Time } from '../parts/basics.tsx'
import { ConnectionField, useConnectionNames } from '../parts/connection-field.tsx'
import { bytes, duration, number } from '../parts/format.ts'
import { Select } from '../parts/filters.tsx'
import { Check, Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { asJobState, Failure, JOB_OPTIONS, Stop, tookOf, Warnings } from '../parts/jobs.tsx'
import { Empty, Needs, NoMatch, Show } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'
import { Changes } from './scan-changes.tsx'

const text = words.scans

/** A scan in the list, with the name of its connection if known. */
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

const GIGABYTE = 1e9

/** Reads a limit of the form; undefined for none. */
function limitOf(data: FormData, name: string, unit = 1): number | undefined {
  const typed = textOf(data, name)
  return typed === '' ? undefined : Math.round(Number(typed) * unit)
}

function NewScan({ onClose }: { readonly onClose: () => void }) {
  const [isProfile, setProfile] = useState(false)
  const begin = async (data: FormData): Promise<void> => {
    const scan = await client.scans.create({
      connectionId: textOf(data, 'connectionId') || undefined,
      profile: isProfile,
      maxRows: limitOf(data, 'maxRows'),
      maxBytes: limitOf(data, 'maxBytes', GIGABYTE),
    })
    navigate(href(`/scans/${scan.id}`))
  }
  return (
    <Dialog title={text.create} onClose={onClose}>
      <Form label={text.create} onSend={begin}>
        <ConnectionField />
        <Check name="profile" label={text.profile} hint={text.profileHint} onChange={setProfile} />
        {isProfile && (
          <>
            <Field isOptional type="number" name="maxRows" label={text.maxRows} hint={text.limitHint} />
            <Field isOptional type="number" name="maxBytes" label={text.maxBytes} hint={text.limitHint} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** Shows a scan: its progress, and the changes since the previous one. */
export function Scan({ params: { scanId = '' } }: PageProps) {
  const loaded = useResource(`scan ${scanId}`, (signal) => client.scans.get(scanId, { signal }), ['scan'])
  const { data } = loaded
  const mayWrite = useMay('write')
  const stop = async (): Promise<void> => {
    await client.scans.cancel(scanId)
    loaded.reload()
  }
  return (
    <Page
      title={text.one}
      up={{ href: href('/scans'), title: text.title }}
      actions={
        data && (
          <>
            <Stop state={data.state} label={text.cancel} stop={stop} />
            {mayWrite && data.state === 'completed' && (
              <a class="button main" href={href('/bulk', { connectionId: data.connectionId })}>
                {words.bulk.link}
              </a>
            )}
          </>
        )
      }
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

/** Describes the rows that a scan reads. */
function rowsOf({ maxBytes, maxRows, profile }: ScanResource): string {
  if (!profile) return text.rowsUnread
  const limits = [
    ...(maxRows === undefined ? [] : [text.rowLimit(number(maxRows))]),
    ...(maxBytes === undefined ? [] : [bytes(maxBytes)]),
  ]
  return limits.length === 0 ? text.rowsRead : text.rowsBelow(limits)
}

function Facts({ scan }: { readonly scan: ScanResource }) {
  const { columns, connectionId, createdAt, id, progress, state, tables } = scan
  const connection = useConnectionNames().get(connectionId)
  const took = tookOf(scan)
  const toRead = progress?.bytesToRead
  return (
    <FactList
      facts={{
        [words.state]: (
          <>
            <Pill state={state} />{' '}
            {state === 'running' && progress && (
              <>
                <progress max={progress.total} value={progress.done} aria-label={text.tables} />{' '}
                {text.progress(progress.done, progress.total)}
              </>
            )}
          </>
        ),
        [text.connection]: connection ?? words.none,
        [words.id]: <Id id={id} />,
        [words.time]: (
          <>
            <Time at={createdAt} isFull /> {took !== undefined && `· ${duration(took)}`}
          </>
        ),
        [text.rows]: rowsOf(scan),
        [text.bytesToRead]: toRead === undefined ? undefined : text.bytesHint(bytes(toRead)),
        [text.tables]: tables === undefined ? undefined : number(tables),
        [text.columns]: tables === undefined ? undefined : number(columns ?? 0),
      }}
    />
  )
}
