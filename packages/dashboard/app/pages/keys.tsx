import { type KeyResource, type Scope, SCOPES } from '@stagecraft/spec/api'
import { useId, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Pill, Tags, Time } from '../parts/basics.tsx'
import {
  Choices,
  Confirm,
  Dialog,
  Field,
  Form,
  Search,
  SecretDialog,
  Select,
  textOf,
} from '../parts/forms.tsx'
import { Empty, Needs } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { announce } from '../service/live.ts'
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
  announce(new Set(['key']))
  return secret
}

/** The keys of the project: issued, looked after and revoked here. */
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
        <KeyList />
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
    { title: text.key, look: 'narrow', cell: ({ hint }) => <code>{hint}</code> },
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

function KeyList() {
  const text = words.keys
  const { say, session, signedOut } = useSession()
  const [revoked, setRevoked] = useState<KeyResource>()
  const { query } = usePlace()
  const state = STATES.find((one) => one === query.get('state'))
  const search = query.get('search') ?? undefined
  const loaded = useList(
    `keys ${state} ${search}`,
    (cursor) => client.keys.list({ state, search, limit: PAGE }).page({ cursor }),
    ['key'],
  )
  const revoke = async ({ id }: KeyResource): Promise<void> => {
    await client.keys.revoke(id)
    setRevoked(undefined)
    if (id === session?.keyId) signedOut()
    say(text.revoked)
    loaded.reload()
  }
  const action: Column<KeyResource> = {
    title: words.actions,
    cell: (key) =>
      key.revokedAt === undefined ? (
        <button
          type="button"
          class="danger"
          aria-label={`${text.revoke} ${key.name}`}
          onClick={() => setRevoked(key)}
        >
          {text.revoke}
        </button>
      ) : (
        <Pill state="revoked" />
      ),
  }
  return (
    <>
      <List
        label={text.title}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<Empty text={text.empty} />}
        columns={[...columnsFor(session?.keyId), action]}
      />
      {revoked && (
        <Confirm
          isDanger
          title={text.revokeTitle}
          text={`${text.revokeText} ${revoked.id === session?.keyId ? text.revokeSelf : ''}`}
          action={text.revoke}
          name={revoked.name}
          onClose={() => setRevoked(undefined)}
          onConfirm={() => revoke(revoked)}
        />
      )}
    </>
  )
}
