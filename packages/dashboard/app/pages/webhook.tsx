import type { WebhookResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Pill, Tags, Time } from '../parts/basics.tsx'
import { duration } from '../parts/format.ts'
import { Check, Confirm, Dialog, Field, Form, SecretDialog, Select, textOf } from '../parts/forms.tsx'
import { Needs, Problem, Show } from '../parts/states.tsx'
import { href, navigate } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { type Action, useAction, useResource } from '../service/resource.ts'
import { useSession } from '../service/session.ts'
import { DELIVERY_OPTIONS, DeliveryList } from './deliveries.tsx'
import { EVENT_OPTIONS } from './events.tsx'

type Open = 'rotate' | 'replay' | 'delete' | undefined

/** A webhook with its deliveries. */
export function Webhook({ params: { webhookId = '' } }: PageProps) {
  const text = words.webhooks
  const loaded = useResource(`webhook ${webhookId}`, (signal) => client.webhooks.get(webhookId, { signal }), [
    'webhook',
    'delivery',
  ])
  const action = useAction()
  const [open, setOpen] = useState<Open>()
  const { data } = loaded
  return (
    <Page
      title={data?.url ?? text.title}
      up={{ href: href('/webhooks'), title: text.title }}
      actions={data && <Actions webhook={data} action={action} reload={loaded.reload} open={setOpen} />}
    >
      <Needs scope="webhooks">
        <Problem error={action.error} title={words.problem.action} />
        <Show loaded={loaded}>
          {(webhook) => (
            <>
              <Facts webhook={webhook} />
              <h2>{text.deliveries}</h2>
              <div class="filters">
                <Select label={words.state} name="state" options={DELIVERY_OPTIONS} />
                <Select label={words.deliveries.event} name="event" options={EVENT_OPTIONS} />
              </div>
              <DeliveryList webhookId={webhook.id} />
              <Windows
                webhook={webhook}
                open={open}
                close={() => setOpen(undefined)}
                reload={loaded.reload}
              />
            </>
          )}
        </Show>
      </Needs>
    </Page>
  )
}

function Facts({ webhook }: { readonly webhook: WebhookResource }) {
  const text = words.webhooks
  return (
    <>
      {webhook.notice !== undefined && (
        <div class={`box ${webhook.state === 'disabled' ? 'bad' : 'warn'}`}>
          <p>
            <b>{text.notice}:</b> {webhook.notice}
          </p>
        </div>
      )}
      <dl>
        <dt>{words.state}</dt>
        <dd>
          <Pill state={webhook.state} />
        </dd>
        {webhook.description !== undefined && (
          <>
            <dt>{text.description}</dt>
            <dd>{webhook.description}</dd>
          </>
        )}
        <dt>{text.events}</dt>
        <dd>
          <Tags names={webhook.events} />
        </dd>
        <dt>{text.lastSuccess}</dt>
        <dd>
          <Time at={webhook.lastSuccessAt} />
        </dd>
        {webhook.consecutiveFailures > 0 && (
          <>
            <dt>{text.failures}</dt>
            <dd>{webhook.consecutiveFailures}</dd>
          </>
        )}
        {webhook.headerNames.length > 0 && (
          <>
            <dt>{text.headers}</dt>
            <dd>
              <Tags names={webhook.headerNames} />
            </dd>
          </>
        )}
        {webhook.previousSecretExpiresAt !== undefined && (
          <>
            <dt>{text.rotated}</dt>
            <dd>
              <Time at={webhook.previousSecretExpiresAt} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

interface ActionsProps {
  readonly webhook: WebhookResource
  readonly action: Action
  readonly reload: () => void
  readonly open: (which: Open) => void
}

function Actions({ action, open, reload, webhook: { id, state } }: ActionsProps) {
  const text = words.webhooks
  const { say } = useSession()
  const isOn = state === 'active'
  const test = async (): Promise<void> => {
    const { attemptLog } = await client.webhooks.test(id, {})
    const [attempt] = attemptLog
    reload()
    if (attempt?.outcome === 'delivered')
      say(text.tested(String(attempt.status ?? ''), duration(attempt.durationMs ?? 0)))
    else throw new Error(`${text.testFailed}: ${attempt?.failure ?? attempt?.status ?? ''}`)
  }
  const toggle = async (): Promise<void> => {
    await (isOn ? client.webhooks.pause(id) : client.webhooks.enable(id))
    reload()
  }
  return (
    <>
      <button type="button" class="main" disabled={action.isBusy} onClick={() => void action.run(test)}>
        {action.isBusy ? text.testing : text.test}
      </button>
      <button type="button" disabled={action.isBusy} onClick={() => void action.run(toggle)}>
        {isOn ? text.pause : text.enable}
      </button>
      <button type="button" onClick={() => open('replay')}>
        {text.replay}
      </button>
      <button type="button" onClick={() => open('rotate')}>
        {text.rotate}
      </button>
      <button type="button" class="danger" onClick={() => open('delete')}>
        {words.delete}
      </button>
    </>
  )
}

interface WindowsProps {
  readonly webhook: WebhookResource
  readonly open: Open
  readonly close: () => void
  readonly reload: () => void
}

function Windows({ close, open, reload, webhook }: WindowsProps) {
  const text = words.webhooks
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined)
    return (
      <SecretDialog
        title={text.secretTitle}
        text={text.secretText}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    )
  if (open === 'rotate')
    return (
      <Confirm
        title={text.rotate}
        text={text.rotateText}
        action={text.rotate}
        onClose={close}
        onConfirm={async () => {
          const rotated = await client.webhooks.rotateSecret(webhook.id, {})
          close()
          setSecret(rotated.secret)
          reload()
        }}
      />
    )
  if (open === 'delete')
    return (
      <Confirm
        isDanger
        title={text.deleteTitle}
        text={text.deleteText}
        action={words.delete}
        name={new URL(webhook.url).host}
        onClose={close}
        onConfirm={async () => {
          await client.webhooks.delete(webhook.id)
          navigate(href('/webhooks'))
        }}
      />
    )
  return open === 'replay' ? <Replay webhookId={webhook.id} onClose={close} /> : null
}

/** Sends events of a time again; how many is said first. */
function Replay({ onClose, webhookId }: { readonly webhookId: string; readonly onClose: () => void }) {
  const text = words.webhooks
  const { say } = useSession()
  const { error, isBusy, run } = useAction()
  const [counted, setCounted] = useState<{
    readonly since: string
    readonly only: 'all' | 'missed'
    readonly count: number
  }>()
  if (!counted)
    return (
      <Dialog title={text.replay} onClose={onClose}>
        <Form
          label={text.count}
          onSend={async (data) => {
            const since = new Date(textOf(data, 'since')).toISOString()
            const only = data.get('missed') === null ? 'all' : 'missed'
            const { deliveries } = await client.webhooks.replay(webhookId, { since, only, dryRun: true })
            setCounted({ since, only, count: deliveries })
          }}
        >
          <Field label={text.replaySince} name="since" type="datetime-local" value={yesterday()} />
          <Check label={text.replayMissed} name="missed" />
        </Form>
      </Dialog>
    )
  const send = async (): Promise<void> => {
    const { deliveries } = await client.webhooks.replay(webhookId, {
      since: counted.since,
      only: counted.only,
    })
    say(text.replayed(deliveries))
    onClose()
  }
  return (
    <Dialog title={text.replay} onClose={onClose}>
      <p>{counted.count === 0 ? text.replayNone : text.replayCount(counted.count)}</p>
      <Problem error={error} title={words.problem.action} />
      <div class="row">
        <button
          type="button"
          class="main"
          disabled={isBusy || counted.count === 0}
          onClick={() => void run(send)}
        >
          {text.send}
        </button>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  )
}

/** The time a day ago, as a field for local times has it. */
function yesterday(): string {
  const date = new Date(Date.now() - 86_400_000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
