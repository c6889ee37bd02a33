import type { ConnectionResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Time } from '../parts/basics.tsx'
import { duration } from '../parts/format.ts'
import { Confirm, Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { Empty, Needs, Problem } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, navigate } from '../router.ts'
import { client } from '../service/client.ts'
import { useAction } from '../service/resource.ts'
import { useMay, useSession } from '../service/session.ts'

const text = words.connections

const COLUMNS: readonly Column<ConnectionResource>[] = [
  {
    title: words.name,
    look: 'break',
    cell: ({ isDefault, name }) => (
      <>
        {name} {isDefault && <span class="tag">{text.default}</span>}
      </>
    ),
  },
  {
    title: text.target,
    look: 'break narrow',
    cell: ({ kind, target }) => <code>{`${kind}: ${target}`}</code>,
  },
  {
    title: text.lastTest,
    look: 'break',
    cell: (connection) => <LastTest connection={connection} />,
  },
]

/** Lists the connections of the project, without their secrets. */
export function Connections() {
  const [isOpen, setOpen] = useState(false)
  const [deleted, setDeleted] = useState<ConnectionResource>()
  const mayAdmin = useMay('admin')
  const mayWrite = useMay('write')
  const button = mayAdmin && <Create open={() => setOpen(true)} />
  const loaded = useList(
    'connections',
    (cursor) => client.connections.list({ limit: PAGE }).page({ cursor }),
    ['connection'],
  )
  const { reload } = loaded
  const action: Column<ConnectionResource> = {
    title: words.actions,
    cell: (connection) => (
      <ConnectionActions connection={connection} reload={reload} remove={() => setDeleted(connection)} />
    ),
  }
  const create = async (data: FormData): Promise<void> => {
    await client.connections.create({ name: textOf(data, 'name'), catalog: textOf(data, 'catalog') })
    setOpen(false)
    loaded.reload()
  }
  return (
    <Page title={text.title} actions={button}>
      <Needs scope="read">
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          empty={<Empty text={text.empty}>{button}</Empty>}
          columns={mayWrite || mayAdmin ? [...COLUMNS, action] : COLUMNS}
        />
      </Needs>
      {isOpen && (
        <Dialog title={text.create} onClose={() => setOpen(false)}>
          <Form label={text.save} onSend={create}>
            <Field label={words.name} name="name" />
            <Field label={text.catalog} name="catalog" hint={text.catalogHint} />
          </Form>
        </Dialog>
      )}
      {deleted && (
        <Confirm
          isDanger
          title={text.deleteTitle}
          text={text.deleteText}
          action={words.delete}
          name={deleted.name}
          onClose={() => setDeleted(undefined)}
          onConfirm={async () => {
            await client.connections.delete(deleted.id)
            setDeleted(undefined)
            loaded.reload()
          }}
        />
      )}
    </Page>
  )
}

function Create({ open }: { readonly open: () => void }) {
  return (
    <button type="button" class="main" onClick={open}>
      {text.create}
    </button>
  )
}

/** Shows the result of the newest test of a connection. */
export function LastTest({ connection: { lastTest } }: { readonly connection: ConnectionResource }) {
  if (!lastTest) return <>{words.none}</>
  return (
    <>
      <span class={`pill ${lastTest.ok ? 'ok' : 'failed'}`}>{lastTest.ok ? text.ok : text.failed}</span>{' '}
      <span class="muted">
        <Time at={lastTest.at} />
      </span>
      {lastTest.reason !== undefined && <div>{lastTest.reason}</div>}
    </>
  )
}

interface ActionsProps {
  readonly connection: ConnectionResource
  readonly reload: () => void
  /** Default: no deletion here. */
  readonly remove?: () => void
}

/** The actions on a connection. */
export function ConnectionActions({ connection: { id, isDefault, name }, reload, remove }: ActionsProps) {
  const { say } = useSession()
  const { error, isBusy, run } = useAction()
  const mayAdmin = useMay('admin')
  const mayWrite = useMay('write')
  const test = async (): Promise<void> => {
    try {
      const { durationMs, tables } = await client.connections.test(id)
      say(text.works(tables, duration(durationMs)))
    } finally {
      reload()
    }
  }
  const makeDefault = async (): Promise<void> => {
    await client.connections.update(id, { isDefault: true })
    reload()
  }
  const scan = async (): Promise<void> => {
    const { id: scanId } = await client.scans.create({ connectionId: id })
    navigate(href(`/scans/${scanId}`))
  }
  const acts = [
    ...(mayWrite
      ? [
          { label: text.test, work: test },
          { label: text.scan, work: scan },
        ]
      : []),
    ...(mayAdmin && !isDefault ? [{ label: text.makeDefault, work: makeDefault }] : []),
  ]
  return (
    <>
      <div class="row">
        {acts.map(({ label, work }) => (
          <button
            key={label}
            type="button"
            aria-disabled={isBusy}
            aria-label={`${label} ${name}`}
            onClick={() => void run(work)}
          >
            {isBusy && work === test ? text.testing : label}
          </button>
        ))}
        {mayAdmin && remove && (
          <button type="button" class="danger" aria-label={`${words.delete} ${name}`} onClick={remove}>
            {words.delete}
          </button>
        )}
      </div>
      <Problem error={error} title={words.problem.action} />
    </>
  )
}
