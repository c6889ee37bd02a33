import type { AuditEntry } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Page, Path, Pill, Time } from '../parts/basics.tsx'
import { Search, Select } from '../parts/filters.tsx'
import { Empty, Needs, NoMatch } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, usePlace } from '../router.ts'
import { client } from '../service/client.ts'

const text = words.audit
const OUTCOMES = { done: words.states.done, refused: words.states.refused }

/** The pages of resources by id prefix. */
const PAGES: Readonly<Record<string, string>> = {
  unit: '/units',
  gen: '/generations',
  push: '/pushes',
  scan: '/scans',
  whk: '/webhooks',
  dlv: '/deliveries',
  anl: '/findings',
  conv: '/assistant',
  prop: '/proposals',
}

function Resource({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return <>{words.none}</>
  const page = PAGES[id.slice(0, id.indexOf('_'))]
  const code = <code>{id}</code>
  return page === undefined ? code : <a href={href(`${page}/${encodeURIComponent(id)}`)}>{code}</a>
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: words.time, cell: ({ at }) => <Time at={at} /> },
  {
    title: text.operation,
    look: 'break',
    cell: ({ operation }) => (
      <a href={href('/audit', { operation })}>
        <Path path={operation} />
      </a>
    ),
  },
  {
    title: text.key,
    look: 'break',
    cell: ({ keyId, keyName, via }) => (
      <>
        {keyId === undefined ? text.noKey : <a href={href('/audit', { keyId })}>{keyName ?? keyId}</a>}{' '}
        {via === 'session' && <span class="tag">{text.ways.session}</span>}
      </>
    ),
  },
  { title: text.resource, look: 'break narrow', cell: ({ resourceId }) => <Resource id={resourceId} /> },
  {
    title: text.outcome,
    cell: ({ code, outcome, requestId }) => (
      <span title={requestId === undefined ? '' : `${text.request} ${requestId}`}>
        <Pill state={outcome} /> {code !== undefined && <code>{code}</code>}
      </span>
    ),
  },
]

/** Lists the audit log. */
export function AuditLog() {
  const { query } = usePlace()
  const filter = {
    outcome: (['done', 'refused'] as const).find((outcome) => outcome === query.get('outcome')),
    operation: query.get('operation') ?? undefined,
    keyId: query.get('keyId') ?? undefined,
    resourceId: query.get('resourceId') ?? undefined,
  }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <Page title={text.title}>
      <Needs scope="admin">
        <div class="filters">
          <Search label={text.operation} name="operation" />
          <Search label={text.keyId} name="keyId" />
          <Search label={text.resource} name="resourceId" />
          <Select label={text.outcome} name="outcome" options={OUTCOMES} />
        </div>
        <Entries filter={filter} isFiltered={isFiltered} />
      </Needs>
    </Page>
  )
}

interface EntriesProps {
  readonly filter: NonNullable<Parameters<typeof client.auditLog.list>[0]>
  readonly isFiltered: boolean
}

function Entries({ filter, isFiltered }: EntriesProps) {
  const loaded = useList(
    `audit ${JSON.stringify(filter)}`,
    (cursor) => client.auditLog.list({ ...filter, limit: PAGE }).page({ cursor }),
    ['event', 'key', 'unit', 'push', 'project', 'connection', 'webhook'],
  )
  return (
    <List
      label={text.title}
      loaded={loaded}
      keyOf={({ id }) => id}
      columns={COLUMNS}
      empty={isFiltered ? <NoMatch text={text.emptyFilter} /> : <Empty text={text.empty} />}
    />
  )
}
