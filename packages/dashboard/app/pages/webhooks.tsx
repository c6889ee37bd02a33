import type { WebhookResource } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Page, Pill, Tags, Time } from '../parts/basics.tsx'
import { duration, percent } from '../parts/format.ts'
import { Empty, Needs } from '../parts/states.tsx'
import { List, PAGE, useList } from '../parts/table.tsx'
import { href } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

/** Returns the state of a webhook, or a warning that its newest deliveries fail. */
export function stateOf({ consecutiveFailures, state }: WebhookResource): string {
  return state === 'active' && consecutiveFailures > 0 ? 'failing' : state
}

/** Lists the webhooks of the project. */
export function Webhooks() {
  const text = words.webhooks
  const create = (
    <a class="button main" href={href('/webhooks/new')}>
      {text.create}
    </a>
  )
  return (
    <Page title={text.title} actions={useMay('webhooks') && create}>
      <Needs scope="webhooks">
        <WebhookList />
      </Needs>
    </Page>
  )
}

function WebhookList() {
  const text = words.webhooks
  const loaded = useList('webhooks', (cursor) => client.webhooks.list({ limit: PAGE }).page({ cursor }), [
    'webhook',
  ])
  const { data: stats } = useResource(
    'statistics of webhooks',
    (signal) => client.webhooks.allStats({ signal }),
    ['delivery'],
  )
  const recent = new Map(stats?.items.map((one) => [one.webhookId, one]))
  const arrived = (id: string): string => {
    const { delivered = 0, ended = 0 } = recent.get(id) ?? {}
    return ended === 0 ? words.none : percent(delivered / ended)
  }
  const p95 = (id: string): string => {
    const { p95Ms } = recent.get(id) ?? {}
    return p95Ms === undefined ? words.none : duration(p95Ms)
  }
  return (
    <List
      label={text.title}
      loaded={loaded}
      keyOf={({ id }) => id}
      empty={
        <Empty text={text.empty}>
          <a class="button" href={href('/webhooks/new')}>
            {text.create}
          </a>
        </Empty>
      }
      columns={[
        {
          title: text.url,
          look: 'break',
          cell: ({ description, id, notice, url }) => (
            <>
              <a href={href(`/webhooks/${id}`)}>{url}</a>
              {description !== undefined && <div class="muted">{description}</div>}
              {notice !== undefined && <div class="failed">{notice}</div>}
            </>
          ),
        },
        {
          title: words.state,
          cell: (webhook) => <Pill state={stateOf(webhook)} />,
        },
        { title: text.events, look: 'narrow', cell: ({ events }) => <Tags names={events} /> },
        { title: text.arrived, look: 'end narrow', cell: ({ id }) => arrived(id) },
        { title: text.p95, look: 'end narrow', cell: ({ id }) => p95(id) },
        { title: text.lastSuccess, cell: ({ lastSuccessAt }) => <Time at={lastSuccessAt} /> },
      ]}
    />
  )
}
