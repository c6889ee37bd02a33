import type { ActivityResource, GenerationRecord } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Page, Time } from '../parts/basics.tsx'
import { eventColumns } from '../parts/event-columns.tsx'
import { number } from '../parts/format.ts'
import { Spark } from '../parts/spark.tsx'
import { Empty, Needs, Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { href } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'
import { NextStep, stepAfter } from './next-step.tsx'

const text = words.overview

/** A problem that needs attention. */
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
  const [activity, events, running, queued, failed, completed, scans, pushes, connections, webhooks] =
    await Promise.all([
      client.projects.activity(),
      page(client.events.list(RECENT)),
      page(client.generations.list({ state: 'running', ...MANY })),
      page(client.generations.list({ state: 'queued', ...MANY })),
      page(client.generations.list({ state: 'failed', kind: 'unit', limit: 5 })),
      page(client.generations.list({ state: 'completed', kind: 'unit', limit: 100 })),
      page(client.scans.list(RECENT)),
      page(client.pushes.list(RECENT)),
      page(client.connections.list({ limit: 1 })),
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
        title: `${state === 'disabled' ? text.webhookDisabled : text.webhookFailing}: ${url}`,
        reason: notice,
        at: failingSince,
      })),
    ...(newestScan?.state === 'failed'
      ? [concern(newestScan, { title: text.failedScan, path: '/scans' })]
      : []),
    ...(newestPush?.state === 'failed'
      ? [concern(newestPush, { title: text.failedPush, path: '/pushes' })]
      : []),
    ...(newestPush?.conflicts?.length
      ? [concern(newestPush, { title: text.conflicts(newestPush.conflicts.length), path: '/pushes' })]
      : []),
    ...failed.map((generation) =>
      concern(generation, {
        title: text.failedGeneration(generation.unitName ?? generation.id),
        path: '/generations',
      }),
    ),
    ...warnedOf(completed),
  ]
  const jobs = running.length + queued.length
  const next = stepAfter({
    units: activity.units,
    hasConnection: connections.length > 0,
    scan: scans.find(({ state }) => state === 'completed'),
    hasGenerated: jobs + failed.length + completed.length > 0,
  })
  return { activity, events, concerns, jobs, next }
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
  return {
    id: `${id} ${title}`,
    href: href(`${path}/${id}`),
    title,
    reason: error?.message ?? '',
    at: finishedAt,
  }
}

/** Groups the warnings of the newest generation of each unit by code. */
function warnedOf(generations: readonly GenerationRecord[]): readonly Concern[] {
  const units = new Set<string>()
  const byCode = new Map<string, { readonly first: GenerationRecord; reason: string; count: number }>()
  for (const generation of generations) {
    const { unitId = '', warnings = [] } = generation
    if (units.has(unitId)) continue
    units.add(unitId)
    for (const [code, { message }] of new Map(warnings.map((warning) => [warning.code, warning]))) {
      const known = byCode.get(code)
      if (known) known.count += 1
      else byCode.set(code, { first: generation, reason: message, count: 1 })
    }
  }
  return [...byCode].map(([code, { count, first, reason }]) => ({
    id: code,
    href: href(`/units/${first.unitId ?? ''}`),
    title: text.warned(code, count),
    reason,
    at: first.finishedAt,
  }))
}

const KINDS = ['event', 'generation', 'batch', 'scan', 'push', 'webhook', 'delivery', 'connection']

/** Summarizes the project: today's activity, open problems and recent events. */
export function Overview() {
  const maySeeWebhooks = useMay('webhooks')
  return (
    <Page title={text.title}>
      <Needs scope="read">
        <Shown maySeeWebhooks={maySeeWebhooks} />
      </Needs>
    </Page>
  )
}

function Shown({ maySeeWebhooks }: { readonly maySeeWebhooks: boolean }) {
  const mayWrite = useMay('write')
  const loaded = useResource('overview', () => load(maySeeWebhooks), KINDS)
  return (
    <Show loaded={loaded}>
      {({ activity, concerns, events, jobs, next }) => (
        <>
          {next && mayWrite && <NextStep step={next} />}
          <Numbers activity={activity} maySeeWebhooks={maySeeWebhooks} />
          {jobs > 0 && (
            <p>
              <a href={href('/generations', { state: 'running' })}>{text.running(jobs)}</a>
            </p>
          )}
          <h2>{text.attention}</h2>
          {concerns.length === 0 && <p class="muted">{text.calm}</p>}
          {concerns.length > 0 && <Concerns concerns={concerns} />}
          <h2>{text.recent}</h2>
          {events.length === 0 ? (
            <Empty text={text.noEvents}>
              <a class="button" href={href('/connections')}>
                {words.connections.title}
              </a>
            </Empty>
          ) : (
            <Table label={text.recent} items={events} keyOf={({ id }) => id} columns={eventColumns} />
          )}
        </>
      )}
    </Show>
  )
}

type Hour = ActivityResource['hours'][number]

interface NumbersProps {
  readonly activity: ActivityResource
  readonly maySeeWebhooks: boolean
}

/** Shows four numbers, each with its last 24 hours. */
function Numbers({ activity: { hours, units }, maySeeWebhooks }: NumbersProps) {
  const of = (count: (hour: Hour) => number | undefined) => hours.map((hour) => count(hour) ?? 0)
  const tiles = [
    { path: '/units', title: text.units, total: units, values: of((hour) => hour.unitsCreated), failed: [] },
    {
      path: '/generations',
      title: text.generations,
      values: of((hour) => hour.generationsCompleted),
      failed: of((hour) => hour.generationsFailed),
    },
    {
      path: '/scans',
      title: text.scans,
      values: of((hour) => hour.scansCompleted),
      failed: of((hour) => hour.scansFailed),
    },
    {
      path: '/deliveries',
      title: text.deliveries,
      values: of((hour) => hour.deliveriesDelivered),
      failed: of((hour) => hour.deliveriesFailed),
    },
  ]
  return (
    <section class="numbers" aria-label={text.numbers}>
      {tiles
        .filter(({ path }) => maySeeWebhooks || path !== '/deliveries')
        .map((tile) => (
          <Tile key={tile.path} {...tile} />
        ))}
    </section>
  )
}

interface TileProps {
  readonly path: string
  readonly title: string
  /** Default: the sum of the values. */
  readonly total?: number
  readonly values: readonly number[]
  readonly failed: readonly number[]
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)

function Tile({ failed, path, title, total, values }: TileProps) {
  const done = sum(values)
  const wrong = sum(failed)
  const all = values.map((value, hour) => value + (failed[hour] ?? 0))
  return (
    <div class="tile">
      <a href={href(path)}>
        <b>{number(total ?? done)}</b>
        <span class="muted">{title}</span>
      </a>
      <Spark values={all} label={text.spark(title, number(done + wrong))} />
      {wrong > 0 ? (
        <a class="failed" href={href(path, { state: path === '/deliveries' ? 'exhausted' : 'failed' })}>
          {text.failed(number(wrong))}
        </a>
      ) : (
        <span class="muted">{total === undefined ? text.noneFailed : text.added(number(done))}</span>
      )}
    </div>
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
