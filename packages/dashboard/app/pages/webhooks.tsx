import { words } from '../messages.ts'
import { Page, Pill, Tags, Time } from '../parts/basics.tsx'
import { Empty, Needs } from '../parts/states.tsx'
import { List, PAGE, useList } from '../parts/table.tsx'
import { href } from '../router.ts'
import { client } from '../service/client.ts'
import { useMay } from '../service/session.ts'

/** The webhooks of the project. */
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
  return (
    <List
      label={text.title}
      loaded={loaded}
      keyOf={({ id }) => id}
      empty={
        <Empty text={text.empty}>
          <a href={href('/webhooks/new')}>{text.create}</a>
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
          cell: ({ consecutiveFailures, state }) => (
            <Pill state={state === 'active' && consecutiveFailures > 0 ? 'failing' : state} />
          ),
        },
        { title: text.events, look: 'narrow', cell: ({ events }) => <Tags names={events} /> },
        { title: text.lastSuccess, cell: ({ lastSuccessAt }) => <Time at={lastSuccessAt} /> },
      ]}
    />
  )
}
