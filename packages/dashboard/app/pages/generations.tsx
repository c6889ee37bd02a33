import type { GenerationRecord } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Id, Page, Path, Pill, Time } from '../parts/basics.tsx'
import { duration } from '../parts/format.ts'
import { Search, Select } from '../parts/filters.tsx'
import { asJobState, Failure, JOB_OPTIONS, Stop, Warnings } from '../parts/jobs.tsx'
import { Empty, Needs, NoMatch, Show } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'

const text = words.generations
const KINDS = ['generation', 'batch']

function titleOf({ kind, unitName }: GenerationRecord): string {
  return kind === 'project' ? text.batch : (unitName ?? text.one)
}

/** Shows who asked for a generation: the dashboard or a program, the key and the request. */
function AskedBy({
  generation: { askedBy },
  isFull = false,
}: {
  readonly generation: GenerationRecord
  readonly isFull?: boolean
}) {
  if (!askedBy) return <>{words.none}</>
  const { keyId, keyName = keyId, operation, requestId, via } = askedBy
  return (
    <>
      {text.ways[via]} · {keyName}{' '}
      {isFull ? (
        <>
          <span class="tag">{operation}</span> {text.request} <Id id={requestId} />
        </>
      ) : (
        <Id id={requestId} isShort />
      )}
    </>
  )
}

export const generationColumns: readonly Column<GenerationRecord>[] = [
  {
    title: text.one,
    look: 'break',
    cell: (generation) => (
      <a href={href(`/generations/${generation.id}`)}>
        <Path path={titleOf(generation)} /> <code>{generation.id.slice(-6)}</code>
      </a>
    ),
  },
  { title: words.state, cell: ({ state }) => <Pill state={state} /> },
  {
    title: words.details,
    look: 'break narrow',
    cell: ({ error, files, units }) =>
      error ? (
        <span class="short" title={error.message}>
          {error.message}
        </span>
      ) : units ? (
        text.progress(units.completed, units.total)
      ) : (
        files && text.fileCount(files.length)
      ),
  },
  { title: text.askedBy, look: 'break narrow', cell: (generation) => <AskedBy generation={generation} /> },
  { title: text.warnings, look: 'end narrow', cell: ({ warnings }) => warnings?.length ?? 0 },
  {
    title: text.duration,
    look: 'end narrow',
    cell: ({ durationMs }) => (durationMs === undefined ? words.none : duration(durationMs)),
  },
  { title: words.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Lists generations with their states. */
export function Generations() {
  const { query } = usePlace()
  const state = asJobState(query.get('state'))
  const asked = query.get('kind')
  const search = query.get('search') ?? undefined
  const kind = asked === 'unit' || asked === 'project' ? asked : undefined
  const loaded = useList(
    `generations ${state} ${kind} ${search}`,
    (cursor) => client.generations.list({ state, kind, search, limit: PAGE }).page({ cursor }),
    KINDS,
  )
  return (
    <Page title={text.title}>
      <Needs scope="read">
        <div class="filters">
          <Search label={text.search} name="search" />
          <Select label={words.state} name="state" options={JOB_OPTIONS} />
          <Select label={text.kind} name="kind" options={text.kinds} />
        </div>
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          columns={generationColumns}
          empty={
            state || kind || search ? (
              <NoMatch text={text.emptyFilter} />
            ) : (
              <Empty text={text.empty}>
                <a class="button" href={href('/units')}>
                  {words.units.title}
                </a>
              </Empty>
            )
          }
        />
      </Needs>
    </Page>
  )
}

/** Shows a generation of one unit, or a batch with its members. */
export function Generation({ params: { generationId = '' } }: PageProps) {
  const loaded = useResource(
    `generation ${generationId}`,
    (signal) => client.generations.get(generationId, { signal }),
    KINDS,
  )
  const { data } = loaded
  const stop = async (): Promise<void> => {
    await client.generations.cancel(generationId)
    loaded.reload()
  }
  return (
    <Page
      title={data ? titleOf(data) : text.one}
      up={{ href: href('/generations'), title: text.title }}
      actions={data && <Stop state={data.state} label={text.cancel} stop={stop} />}
    >
      <Needs scope="read">
        <Show loaded={loaded}>
          {(generation) => (
            <>
              <Failure error={generation.error} />
              <Facts generation={generation} />
              <Warnings title={text.warnings} warnings={generation.warnings} />
              {generation.kind === 'project' && <Members batchId={generation.id} />}
            </>
          )}
        </Show>
      </Needs>
    </Page>
  )
}

function Facts({ generation }: { readonly generation: GenerationRecord }) {
  const { createdAt, durationMs, files = [], id, state, unitId, unitName, units } = generation
  return (
    <dl>
      <dt>{words.state}</dt>
      <dd>
        <Pill state={state} />
      </dd>
      <dt>{words.time}</dt>
      <dd>
        <Time at={createdAt} isFull /> {durationMs !== undefined && `· ${duration(durationMs)}`}
      </dd>
      <dt>{text.askedBy}</dt>
      <dd>
        <AskedBy isFull generation={generation} />
      </dd>
      <dt>{words.id}</dt>
      <dd>
        <Id id={id} />
      </dd>
      {unitId !== undefined && (
        <>
          <dt>{text.unit}</dt>
          <dd>
            <a href={href(`/units/${unitId}`)}>{unitName ?? unitId}</a>
          </dd>
        </>
      )}
      {files.length > 0 && (
        <>
          <dt>{text.files}</dt>
          <dd>
            {files.map(({ path }) => (
              <div key={path}>
                <code>{path}</code>
              </div>
            ))}
          </dd>
        </>
      )}
      {units && (
        <>
          <dt>{words.units.title}</dt>
          <dd>
            <progress
              max={units.total}
              value={units.completed + units.failed + units.cancelled}
              aria-label={text.members}
            />{' '}
            {text.progress(units.completed, units.total)}
            {units.failed > 0 && <span class="failed"> · {text.failedUnits(units.failed)}</span>}
          </dd>
        </>
      )}
    </dl>
  )
}

function Members({ batchId }: { readonly batchId: string }) {
  const loaded = useList(
    `members ${batchId}`,
    (cursor) => client.generations.list({ batchId, limit: PAGE }).page({ cursor }),
    KINDS,
  )
  return (
    <>
      <h2>{text.members}</h2>
      <List
        label={text.members}
        loaded={loaded}
        keyOf={({ id }) => id}
        columns={generationColumns}
        empty={<Empty text={text.noMembers} />}
      />
    </>
  )
}
