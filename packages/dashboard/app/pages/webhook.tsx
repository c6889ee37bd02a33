import type { WebhookResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { FactList, Id, Page, Pill, Tags, Time } from '../parts/basics.tsx'
import { duration, number, percent } from '../parts/format.ts'
import { Select } from '../parts/filters.tsx'
import { Needs, Problem, Show } from '../parts/states.tsx'
import { href } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { type Action, useAction, useResource } from '../service/resource.ts'
import { useSession } from '../service/session.ts'
import { DELIVERY_OPTIONS, DeliveryList } from './deliveries.tsx'
import { EVENT_OPTIONS } from './events.tsx'
import { stateOf } from './webhooks.tsx'
import { type Open, Windows } from './webhook-windows.tsx'

/** Shows a webhook with its deliveries. */
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
      {webhook.waitsUntil !== undefined && (
        <div class="box warn">
          <p>
            <b>{text.waits}</b> {text.waitsText(number(webhook.consecutiveFailures))}{' '}
            <Time at={webhook.waitsUntil} />
          </p>
        </div>
      )}
      <FactList
        facts={{
          [words.state]: <Pill state={stateOf(webhook)} />,
          [text.description]: webhook.description,
          [text.events]: <Tags names={webhook.events} />,
          [text.lastSuccess]: <Time at={webhook.lastSuccessAt} />,
          [text.failures]: webhook.consecutiveFailures > 0 ? webhook.consecutiveFailures : undefined,
          [text.headers]: webhook.headerNames.length > 0 ? <Tags names={webhook.headerNames} /> : undefined,
          [text.rotated]: webhook.previousSecretExpiresAt && <Time at={webhook.previousSecretExpiresAt} />,
          Id: <Id id={webhook.id} />,
        }}
      />
      <Stats webhookId={webhook.id} />
    </>
  )
}

/** Shows the success rate of its newest deliveries. */
function Stats({ webhookId }: { readonly webhookId: string }) {
  const text = words.webhooks
  const { data } = useResource(
    `statistics ${webhookId}`,
    (signal) => client.webhooks.stats(webhookId, { signal }),
    ['delivery'],
  )
  if (!data || data.recent.ended === 0) return null
  const { delivered, ended, p95Ms } = data.recent
  return (
    <FactList
      facts={{
        [text.arrived]: `${percent(delivered / ended)} ${text.arrivedOf(number(ended))}`,
        [text.p95]: p95Ms === undefined ? undefined : duration(p95Ms),
      }}
    />
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
      <button type="button" class="main" aria-disabled={action.isBusy} onClick={() => void action.run(test)}>
        {action.isBusy ? text.testing : text.test}
      </button>
      <button type="button" aria-disabled={action.isBusy} onClick={() => void action.run(toggle)}>
        {isOn ? text.pause : text.enable}
      </button>
      <button type="button" onClick={() => open('edit')}>
        {words.edit}
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
