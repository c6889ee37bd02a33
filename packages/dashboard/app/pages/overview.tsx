import { words } from '../messages.ts'
import { Page, Time } from '../parts/basics.tsx'
import { number } from '../parts/format.ts'
import { Empty, Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { href } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'
import { eventColumns } from './events.tsx'

/** Something that a person should look at. */
interface Concern {
  readonly id: string
  readonly href: string
  readonly title: string
  readonly reason: string
  readonly at: string | undefined
}

const RECENT = { limit: 10 } as const
const MANY = { limit: 200 } as const

async function load(maySeeWebhooks: boolean) {
  const page = async <Item,>(list: { page(): Promise<{ readonly items: readonly Item[] }> }) =>
    (await list.page()).items
  const [events, running, queued, failed, scans, pushes, webhooks] = await Promise.all([
    page(client.events.list(RECENT)),
    page(client.generations.list({ state: 'running', limit: 200 })),
    page(client.generations.list({ state: 'queued', limit: 200 })),
    page(client.generations.list({ state: 'failed', kind: 'unit', limit: 50 })),
    page(client.scans.list(RECENT)),
    page(client.pushes.list(RECENT)),
    maySeeWebhooks ? page(client.webhooks.list(MANY)) : [],
  ])
  const newestScan = scans.find(({ state }) => state === 'completed' || state === 'failed')
  const newestPush = pushes.find(({ state }) => state === 'completed' || state === 'failed')
  const concerns: Concern[] = [
    ...webhooks
      .filter(({ consecutiveFailures, state }) => state === 'disabled' || consecutiveFailures > 0)
      .map(({ failingSince, id, notice = '', state, url }) => ({
        id,
        href: href(`/webhooks/${id}`),
        title: `${state === 'disabled' ? words.overview.webhookDisabled : words.overview.webhookFailing}: ${url}`,
        reason: notice,
        at: failingSince,
      })),
    ...(newestScan?.state === 'failed'
      ? [concern(newestScan, { title: words.overview.failedScan, path: '/scans' })]
      : []),
    ...(newestPush?.state === 'failed'
      ? [concern(newestPush, { title: words.overview.failedPush, path: '/pushes' })]
      : []),
    ...failed.slice(0, 5).map((generation) =>
      concern(generation, {
        title: words.overview.failedGeneration(generation.unitName ?? generation.id),
        path: '/generations',
      }),
    ),
  ]
  return { events, concerns, failed: failed.length, jobs: running.length + queued.length, webhooks }
}

interface Job {
  readonly id: string
  readonly error?: { readonly message: string } | undefined
  readonly finishedAt?: string | undefined
}

function concern(
  { error, finishedAt, id }: Job,
  { path, title }: { readonly path: string; readonly title: string },
): Concern {
  return { id, href: href(`${path}/${id}`), title, reason: error?.message ?? '', at: finishedAt }
}

const KINDS = ['event', 'generation', 'batch', 'scan', 'push', 'webhook', 'delivery']

/** How the project does: what needs attention, and what has happened. */
export function Overview() {
  const maySeeWebhooks = useMay('webhooks')
  const loaded = useResource('overview', () => load(maySeeWebhooks), KINDS)
  const text = words.overview
  return (
    <Page title={text.title}>
      <Show loaded={loaded}>
        {({ concerns, events, failed, jobs, webhooks }) => (
          <>
            <section class="numbers" aria-label={text.numbers}>
              <a href={href('/generations')}>
                <b>{number(jobs)}</b>
                <span class="muted">{text.running}</span>
              </a>
              <a href={href('/generations', { state: 'failed' })}>
                <b>{failed >= 50 ? '50+' : number(failed)}</b>
                <span class="muted">{text.failed}</span>
              </a>
              {maySeeWebhooks && (
                <>
                  <a href={href('/webhooks')}>
                    <b>{number(webhooks.length)}</b>
                    <span class="muted">{text.webhooks}</span>
                  </a>
                  <a href={href('/webhooks')}>
                    <b>
                      {number(webhooks.filter(({ consecutiveFailures }) => consecutiveFailures > 0).length)}
                    </b>
                    <span class="muted">{text.failing}</span>
                  </a>
                </>
              )}
            </section>
            <h2>{text.attention}</h2>
            {concerns.length === 0 && <p class="muted">{text.calm}</p>}
            {concerns.length > 0 && <Concerns concerns={concerns} />}
            <h2>{text.recent}</h2>
            {events.length === 0 ? (
              <Empty text={text.noEvents} />
            ) : (
              <Table label={text.recent} items={events} keyOf={({ id }) => id} columns={eventColumns} />
            )}
          </>
        )}
      </Show>
    </Page>
  )
}

function Concerns({ concerns }: { readonly concerns: readonly Concern[] }) {
  return (
    <ul class="box concerns">
      {concerns.map(({ at, href, id, reason, title }) => (
        <li key={id}>
          <a href={href}>{title}</a>{' '}
          <span class="muted">
            <Time at={at} />
          </span>
          {reason !== '' && (
            <div class="muted short" title={reason}>
              {reason}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
