import type { AnalysisDetail, FindingResource, FindingSeverity, FindingState } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { FactList, Page, Path, Pill, Tags, Time } from '../parts/basics.tsx'
import { duration, number } from '../parts/format.ts'
import { Search, Select } from '../parts/filters.tsx'
import { Check, Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { Failure, Stop, tookOf } from '../parts/jobs.tsx'
import { Empty, Needs, NoMatch, Show } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

const text = words.findings
const { error, fixed, info, new: isNew, unchanged, warning } = { ...words.states, new: text.isNew }
const SEVERITIES: Readonly<Record<FindingSeverity, string>> = { error, warning, info }
const STATES: Readonly<Record<FindingState, string>> = { new: isNew, unchanged, fixed }

function oneOf<Name extends string>(
  names: Readonly<Record<Name, string>>,
  value: string | null,
): Name | undefined {
  return (Object.keys(names) as Name[]).find((name) => name === value)
}

/** Shows a check: its score, and its findings by files and lines. */
export function Findings({ params: { analysisId = '' } }: PageProps) {
  const [isOpen, setOpen] = useState(false)
  const mayWrite = useMay('write')
  const loaded = useResource(
    `analysis ${analysisId}`,
    (signal) => client.analyses.get(analysisId, { signal }),
    ['analysis'],
  )
  const { data } = loaded
  const stop = async (): Promise<void> => {
    await client.analyses.cancel(analysisId)
    loaded.reload()
  }
  const canFix = mayWrite && data?.state === 'completed' && data.origin === 'repository'
  return (
    <Page
      title={data ? text.titleOf(data.branch ?? text.origins[data.origin]) : text.one}
      up={{ href: href('/findings'), title: text.title }}
      actions={
        <>
          {data && mayWrite && <Stop state={data.state} label={text.cancel} stop={stop} />}
          {canFix && (
            <button type="button" onClick={() => setOpen(true)}>
              {text.push}…
            </button>
          )}
        </>
      }
    >
      <Needs scope="read">
        <Show loaded={loaded}>
          {(analysis) => (
            <>
              <Failure error={analysis.error} />
              <Facts analysis={analysis} />
              {analysis.findings && <FindingList analysis={analysis} />}
              <NotChecked analysis={analysis} />
            </>
          )}
        </Show>
      </Needs>
      {isOpen && <Fix analysisId={analysisId} onClose={() => setOpen(false)} />}
    </Page>
  )
}

function Facts({ analysis }: { readonly analysis: AnalysisDetail }) {
  const { commit, createdAt, findings, folder, models, progress, score, state, suppressed } = analysis
  const took = tookOf(analysis)
  return (
    <>
      {score && findings && (
        <section class="numbers" aria-label={text.score}>
          <Number value={score.total} name={text.score} query={{}} />
          <Number value={findings.error} name={text.errors} query={{ severity: 'error' }} />
          <Number value={findings.warning} name={text.warnings} query={{ severity: 'warning' }} />
          <Number value={findings.info} name={text.infos} query={{ severity: 'info' }} />
          <Number value={findings.new} name={text.isNew} query={{ state: 'new' }} />
          <Number value={findings.fixed} name={text.isFixed} query={{ state: 'fixed' }} />
        </section>
      )}
      <FactList
        facts={{
          [words.state]: (
            <>
              <Pill state={state} /> {progress && text.steps[progress.step]}
            </>
          ),
          [words.time]: (
            <>
              <Time at={createdAt} isFull /> {took !== undefined && `· ${duration(took)}`}
            </>
          ),
          [text.commit]: commit && <code>{commit}</code>,
          [text.folder]: folder ? <code>{folder}</code> : undefined,
          [text.models]: models === undefined ? undefined : number(models),
          [text.suppressed]: suppressed ? number(suppressed) : undefined,
          [text.groups]: score && (
            <Tags names={Object.entries(score.groups).map(([group, value]) => `${group} ${value}`)} />
          ),
        }}
      />
    </>
  )
}

interface NumberProps {
  readonly value: number
  readonly name: string
  /** The filter that its link sets. */
  readonly query: Readonly<Record<string, string>>
}

function Number({ name, query, value }: NumberProps) {
  return (
    <a href={href(usePlace().path, query)}>
      <b>{number(value)}</b>
      <span class="muted">{name}</span>
    </a>
  )
}

const COLUMNS: readonly Column<FindingResource>[] = [
  { title: text.severity, cell: ({ severity }) => <Pill state={severity} /> },
  {
    title: text.what,
    look: 'break',
    cell: ({ fix, help, message, name, path, rule, start, text: line }) => (
      <details>
        <summary>
          {message} <span class="tag">{`${rule} ${name}`}</span>
          {fix && <span class="tag">{text.fixes[fix.safety]}</span>}
        </summary>
        <p>
          <code>{`${path}:${start.line}`}</code>
        </p>
        <pre class="quote">{line}</pre>
        <p>{help}</p>
        {fix && (
          <p>
            {text.fix}: {fix.summary}
          </p>
        )}
      </details>
    ),
  },
  {
    title: text.where,
    look: 'break narrow',
    cell: ({ path, start }) => (
      <code>
        <Path path={path} />:{start.line}
      </code>
    ),
  },
  { title: words.state, look: 'narrow', cell: ({ state }) => STATES[state] },
]

function FindingList({ analysis: { id, unlisted } }: { readonly analysis: AnalysisDetail }) {
  const { query } = usePlace()
  const filter = {
    severity: oneOf(SEVERITIES, query.get('severity')),
    state: oneOf(STATES, query.get('state')),
    rule: query.get('rule') ?? undefined,
    path: query.get('path') ?? undefined,
    search: query.get('search') ?? undefined,
  }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const loaded = useList(
    `findings ${id} ${JSON.stringify(filter)}`,
    (cursor) => client.analyses.findings(id, { ...filter, limit: PAGE }).page({ cursor }),
    ['analysis'],
  )
  return (
    <>
      <div class="filters">
        <Search label={text.search} name="search" />
        <Search label={text.path} name="path" />
        <Search label={text.rule} name="rule" />
        <Select label={text.severity} name="severity" options={SEVERITIES} />
        <Select label={words.state} name="state" options={STATES} />
      </div>
      <List
        label={text.title}
        loaded={loaded}
        keyOf={({ fingerprint, state }) => `${fingerprint} ${state}`}
        columns={COLUMNS}
        empty={isFiltered ? <NoMatch text={text.noneFilter} /> : <Empty text={text.none} />}
      />
      {unlisted !== undefined && unlisted > 0 && <p class="muted">{text.unlisted(number(unlisted))}</p>}
    </>
  )
}

function NotChecked({ analysis: { notChecked = [] } }: { readonly analysis: AnalysisDetail }) {
  if (notChecked.length === 0) return null
  return (
    <details class="box">
      <summary>{text.notChecked}</summary>
      <ul>
        {notChecked.map(({ names, reason, rule, subjects }) => (
          <li key={`${rule} ${reason}`}>
            <span class="tag">{rule}</span> {reason}{' '}
            <span class="muted">
              {text.notCheckedRow(number(subjects))}: {names.join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface FixProps {
  readonly analysisId: string
  readonly onClose: () => void
}

/** Pushes fixes to a branch, or only plans them. */
function Fix({ analysisId, onClose }: FixProps) {
  const rule = usePlace().query.get('rule') ?? ''
  const send = async (data: FormData): Promise<void> => {
    const { id } = await client.analyses.fix(analysisId, {
      branch: textOf(data, 'branch'),
      unsafe: data.get('unsafe') !== null,
      dryRun: data.get('dryRun') !== null,
      rules: data.get('only') === null ? undefined : [rule],
    })
    navigate(href(`/pushes/${id}`))
  }
  return (
    <Dialog title={text.push} onClose={onClose}>
      <p>{text.pushText}</p>
      <Form label={text.push} onSend={send}>
        <Field name="branch" label={text.branch} value="stagecraft-fixes" />
        {/^SC\d+$/.test(rule) && <Check name="only" label={text.only(rule)} />}
        <Check name="unsafe" label={text.unsafe} />
        <Check name="dryRun" label={words.pushes.dryRun} />
      </Form>
    </Dialog>
  )
}
