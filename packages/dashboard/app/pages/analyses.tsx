import type { AnalysisResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Pill, Time } from '../parts/basics.tsx'
import { number } from '../parts/format.ts'
import { Search, Select } from '../parts/filters.tsx'
import { Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { asJobState, JOB_OPTIONS } from '../parts/jobs.tsx'
import { Empty, Needs, NoMatch } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

const text = words.findings

const COLUMNS: readonly Column<AnalysisResource>[] = [
  {
    title: text.one,
    look: 'break',
    cell: ({ branch, commit, id, origin }) => (
      <a href={href(`/findings/${id}`)}>
        {branch ?? text.origins[origin]} <code>{(commit ?? id).slice(0, 8)}</code>
      </a>
    ),
  },
  { title: words.state, cell: ({ state }) => <Pill state={state} /> },
  { title: text.score, look: 'end', cell: ({ score }) => score?.total ?? words.none },
  { title: text.errors, look: 'end narrow', cell: ({ findings }) => countOf(findings?.error) },
  { title: text.warnings, look: 'end narrow', cell: ({ findings }) => countOf(findings?.warning) },
  { title: text.isNew, look: 'end narrow', cell: ({ findings }) => countOf(findings?.new) },
  { title: text.isFixed, look: 'end narrow', cell: ({ findings }) => countOf(findings?.fixed) },
  { title: words.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function countOf(count: number | undefined): string {
  return count === undefined ? words.none : number(count)
}

/** Lists the checks of the dbt project with the trend of their scores. */
export function Analyses() {
  const [isOpen, setOpen] = useState(false)
  const { query } = usePlace()
  const state = asJobState(query.get('state'))
  const branch = query.get('branch') ?? undefined
  const loaded = useList(
    `analyses ${state} ${branch}`,
    (cursor) => client.analyses.list({ state, branch, limit: PAGE }).page({ cursor }),
    ['analysis'],
  )
  const button = (
    <button type="button" class="main" onClick={() => setOpen(true)}>
      {text.create}
    </button>
  )
  return (
    <Page title={text.title} actions={useMay('write') && button}>
      <Needs scope="read">
        <Trend branch={branch} />
        <div class="filters">
          <Search label={text.branch} name="branch" />
          <Select label={words.state} name="state" options={JOB_OPTIONS} />
        </div>
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          columns={COLUMNS}
          empty={
            state || branch ? (
              <NoMatch text={text.emptyFilter} />
            ) : (
              <Empty text={text.empty}>
                <code>{text.command}</code>
              </Empty>
            )
          }
        />
      </Needs>
      {isOpen && <NewAnalysis onClose={() => setOpen(false)} />}
    </Page>
  )
}

/** The number of checks in the chart. */
const MOST = 50
const SIZE = { width: 300, height: 60 }

/** Draws the scores of the newest completed checks as a line, oldest first. */
function Trend({ branch }: { readonly branch: string | undefined }) {
  const { data } = useResource(
    `trend ${branch}`,
    (signal) => client.analyses.list({ state: 'completed', branch, limit: MOST }, { signal }).page(),
    ['analysis'],
  )
  const scores = (data?.items ?? []).flatMap(({ score }) => (score ? [score.total] : [])).toReversed()
  const [first] = scores
  const last = scores.at(-1)
  if (first === undefined || last === undefined || scores.length < 2) return null
  const step = SIZE.width / (scores.length - 1)
  const points = scores.map((score, index) => `${index * step},${SIZE.height - (score / 100) * SIZE.height}`)
  return (
    <figure class="trend">
      <b>{last}</b>
      <svg
        role="img"
        aria-label={text.trendLabel(first, last, scores.length)}
        viewBox={`-3 -3 ${SIZE.width + 6} ${SIZE.height + 6}`}
      >
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption class="muted">{text.trendLabel(first, last, scores.length)}</figcaption>
    </figure>
  )
}

function NewAnalysis({ onClose }: { readonly onClose: () => void }) {
  const begin = async (data: FormData): Promise<void> => {
    const { id } = await client.analyses.create({
      branch: textOf(data, 'branch') || undefined,
      path: textOf(data, 'path') || undefined,
    })
    navigate(href(`/findings/${id}`))
  }
  return (
    <Dialog title={text.create} onClose={onClose}>
      <Form label={text.create} onSend={begin}>
        <Field isOptional name="branch" label={text.branch} hint={text.branchHint} />
        <Field isOptional name="path" label={text.folder} hint={text.folderHint} />
      </Form>
    </Dialog>
  )
}
