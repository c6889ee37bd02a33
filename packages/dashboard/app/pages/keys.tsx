import { type KeyResource, type Scope, SCOPES } from '@stagecraft/spec/api'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Pill, Tags, Time } from '../parts/basics.tsx'
import { Search, Select } from '../parts/filters.tsx'
import { Choices, Confirm, Dialog, Field, Form, SecretDialog, textOf } from '../parts/forms.tsx'
import { Empty, Needs, NoMatch } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { reportChange } from '../service/live.ts'
import { useMay, useSession } from '../service/session.ts'

const STATES = ['active', 'expired', 'revoked'] as const
const STATE_OPTIONS = Object.fromEntries(STATES.map((state) => [state, words.states[state]]))

const DAY_MS = 86_400_000

async function create(data: FormData): Promise<string> {
  const chosen = data.getAll('scopes')
  const scopes = SCOPES.filter((scope) => chosen.includes(scope))
  if (scopes.length === 0) throw new Error(words.keys.chooseScope)
  const days = Number(textOf(data, 'expiry'))
  const expiresAt = days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : undefined
  const { secret } = await client.keys.create({ name: textOf(data, 'name'), scopes, expiresAt })
  reportChange(new Set(['key']))
  return secret
}

/** Lists, creates, replaces and revokes the keys of the project. */
export function Keys() {
  const text = words.keys
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const button = (
    <button type="button" class="main" onClick={() => setOpen(true)}>
      {text.create}
    </button>
  )
  return (
    <Page title={text.title} actions={useMay('admin') && button}>
      <Needs scope="admin">
        <div class="filters">
          <Search label={text.search} name="search" />
          <Select label={words.state} name="state" options={STATE_OPTIONS} />
        </div>
        <KeyList button={button} onRotated={setSecret} />
        {isOpen && (
          <NewKey
            onClose={() => setOpen(false)}
            onCreated={(created) => {
              setOpen(false)
              setSecret(created)
            }}
          />
        )}
        {secret !== undefined && (
          <SecretDialog
            title={text.shownOnce}
            text={text.shownText}
            secret={secret}
            onClose={() => setSecret(undefined)}
          />
        )}
      </Needs>
    </Page>
  )
}

function NewKey({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: (secret: string) => void
}) {
  const text = words.keys
  const { session } = useSession()
  const id = useId()
  return (
    <Dialog title={text.create} onClose={onClose}>
      <Form label={text.save} onSend={async (data) => onCreated(await create(data))}>
        <Field label={words.name} name="name" />
        <Choices
          label={text.scopes}
          name="scopes"
          ticked={['read']}
          choices={SCOPES.map((scope: Scope) => ({
            value: scope,
            title: scope,
            hint: text.scopeHints[scope],
            isOff: !session?.scopes.includes(scope),
          }))}
        />
        <div class="field">
          <label for={id}>{text.expiry}</label>
          <select id={id} name="expiry">
            {Object.entries(text.expiries).map(([value, title]) => (
              <option key={value} value={value} selected={value === ''}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </Form>
    </Dialog>
  )
}

function columnsFor(ownId: string | undefined): readonly Column<KeyResource>[] {
  const text = words.keys
  return [
    {
      title: words.name,
      look: 'break',
      cell: ({ id, name }) => (
        <>
          {name} {id === ownId && <span class="tag">{text.yours}</span>}
        </>
      ),
    },
    { title: text.key, look: 'whole narrow', cell: ({ hint }) => <code>{hint}</code> },
    { title: text.scopes, look: 'narrow', cell: ({ scopes }) => <Tags names={scopes} /> },
    { title: text.created, look: 'narrow', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: text.used,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? <span class="muted">{text.never}</span> : <Time at={lastUsedAt} />,
    },
    {
      title: text.expires,
      look: 'narrow',
      cell: ({ expiresAt }) =>
        expiresAt === undefined ? <span class="muted">{text.never}</span> : <Time at={expiresAt} />,
    },
  ]
}

interface KeyListProps {
  /** The button that creates a key. */
  readonly button: ComponentChildren
  readonly onRotated: (secret: string) => void
}

/** An action on a key that awaits confirmation. */
interface Chosen {
  readonly key: KeyResource
  readonly action: 'rotate' | 'revoke'
}

function KeyList({ button, onRotated }: KeyListProps) {
  const { session } = useSession()
  const [chosen, setChosen] = useState<Chosen>()
  const { query } = usePlace()
  const state = STATES.find((one) => one === query.get('state'))
  const search = query.get('search') ?? undefined
  const loaded = useList(
    `keys ${state} ${search}`,
    (cursor) => client.keys.list({ state, search, limit: PAGE }).page({ cursor }),
    ['key'],
  )
  const close = () => setChosen(undefined)
  const end = (): void => {
    close()
    loaded.reload()
  }
  const rotated = (secret: string): void => {
    end()
    onRotated(secret)
  }
  const actions: Column<KeyResource> = {
    title: words.actions,
    cell: (key) => <Actions item={key} choose={(action) => setChosen({ key, action })} />,
  }
  return (
    <>
      <List
        label={words.keys.title}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={
          state || search ? (
            <NoMatch text={words.keys.emptyFilter} />
          ) : (
            <Empty text={words.keys.empty}>{button}</Empty>
          )
        }
        columns={[...columnsFor(session?.keyId), actions]}
      />
      {chosen?.action === 'rotate' && <Rotate item={chosen.key} onClose={close} onRotated={rotated} />}
      {chosen?.action === 'revoke' && <Revoke item={chosen.key} onClose={close} onRevoked={end} />}
    </>
  )
}

interface ActionsProps {
  readonly item: KeyResource
  readonly choose: (action: Chosen['action']) => void
}

function Actions({ choose, item: { expiresAt, name, revokedAt } }: ActionsProps) {
  const text = words.keys
  if (revokedAt !== undefined) return <Pill state="revoked" />
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) return <Pill state="expired" />
  return (
    <div class="row">
      <button type="button" aria-label={`${text.rotate} ${name}`} onClick={() => choose('rotate')}>
        {text.rotate}
      </button>
      <button
        type="button"
        class="danger"
        aria-label={`${text.revoke} ${name}`}
        onClick={() => choose('revoke')}
      >
        {text.revoke}
      </button>
    </div>
  )
}

interface RotateProps {
  readonly item: KeyResource
  readonly onClose: () => void
  readonly onRotated: (secret: string) => void
}

function Rotate({ item: { id, name }, onClose, onRotated }: RotateProps) {
  const text = words.keys
  return (
    <Confirm
      title={text.rotateTitle(name)}
      text={text.rotateText}
      action={text.rotate}
      onClose={onClose}
      onConfirm={async () => onRotated((await client.keys.rotate(id, {})).secret)}
    />
  )
}

interface RevokeProps {
  readonly item: KeyResource
  readonly onClose: () => void
  readonly onRevoked: () => void
}

function Revoke({ item: { id, name }, onClose, onRevoked }: RevokeProps) {
  const text = words.keys
  const { say, session, signedOut } = useSession()
  const isOwn = id === session?.keyId
  const revoke = async (): Promise<void> => {
    await client.keys.revoke(id)
    onRevoked()
    if (isOwn) signedOut()
    say(text.revoked)
  }
  return (
    <Confirm
      isDanger
      title={text.revokeTitle}
      text={`${text.revokeText} ${isOwn ? text.revokeSelf : ''}`}
      action={text.revoke}
      name={name}
      onClose={onClose}
      onConfirm={revoke}
    />
  )
}
