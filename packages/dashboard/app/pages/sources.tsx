import type { SourceResource } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Page, Path, Time } from '../parts/basics.tsx'
import { Search } from '../parts/filters.tsx'
import { Empty, Needs, NoMatch } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { useMay } from '../service/session.ts'

const text = words.sources

const COLUMNS: readonly Column<SourceResource>[] = [
  {
    title: words.name,
    look: 'break',
    cell: ({ comment, connectionId, name }) => (
      <>
        <a href={href(`/sources/${encodeURIComponent(name)}`, { connectionId })}>
          <Path path={name} />
        </a>
        {comment !== undefined && <div class="muted">{comment}</div>}
      </>
    ),
  },
  { title: text.kind, look: 'narrow', cell: ({ kind }) => kind },
  { title: text.columns, look: 'end', cell: ({ columns }) => columns },
  { title: text.profiled, look: 'narrow', cell: ({ profiledAt }) => <Time at={profiledAt} /> },
  { title: text.scanned, cell: ({ scannedAt }) => <Time at={scannedAt} /> },
]

/** Lists the tables that scans found. */
export function Sources() {
  const { query } = usePlace()
  const search = query.get('search') ?? undefined
  const loaded = useList(
    `sources ${search}`,
    (cursor) => client.sources.list({ search, limit: PAGE }).page({ cursor }),
    ['scan'],
  )
  const mayWrite = useMay('write')
  const many = (
    <a class="button main" href={href('/bulk', { select: search && `*${search}*`, look: '1' })}>
      {words.bulk.link}
    </a>
  )
  return (
    <Page title={text.title} actions={mayWrite && many}>
      <Needs scope="read">
        <div class="filters">
          <Search label={text.search} name="search" />
        </div>
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ connectionId, name }) => `${connectionId} ${name}`}
          columns={COLUMNS}
          empty={
            search ? (
              <NoMatch text={text.emptyFilter} />
            ) : (
              <Empty text={text.empty}>
                <a class="button" href={href('/scans')}>
                  {words.scans.title}
                </a>
              </Empty>
            )
          }
        />
      </Needs>
    </Page>
  )
}
