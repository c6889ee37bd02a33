import type { PlannedPushResource, PushPlan } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Pill, Time } from '../parts/basics.tsx'
import { Diff, linesOf } from '../parts/diff.tsx'
import { Check, Dialog, Field, Form, Select, textOf } from '../parts/forms.tsx'
import { asJobState, Failure, JOB_OPTIONS, Stop, Warnings } from '../parts/jobs.tsx'
import { Empty, Needs, Show } from '../parts/states.tsx'
import { List, PAGE, useList } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

const text = words.pushes

/** The pushes of the project; a new one, or only its plan, is begun here. */
export function Pushes() {
  const [isOpen, setOpen] = useState(false)
  const state = asJobState(usePlace().query.get('state'))
  const mayWrite = useMay('write')
  const loaded = useList(
    `pushes ${state}`,
    (cursor) => client.pushes.list({ state, limit: PAGE }).page({ cursor }),
    ['push'],
  )
  const button = (
    <button type="button" class="main" onClick={() => setOpen(true)}>
      {text.create}
    </button>
  )
  return (
    <Page title={text.title} actions={mayWrite && button}>
      <Needs scope="read">
        <div class="filters">
          <Select label={words.state} name="state" options={JOB_OPTIONS} />
        </div>
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          empty={<Empty text={text.empty} />}
          columns={[
            {
              title: text.message,
              look: 'break',
              cell: ({ id, message }) => <a href={href(`/pushes/${id}`)}>{message}</a>,
            },
            { title: text.branch, look: 'break narrow', cell: ({ branch }) => <code>{branch}</code> },
            { title: words.state, cell: ({ state }) => <Pill state={state} /> },
            {
              title: text.outcome,
              look: 'narrow',
              cell: ({ outcome }) => (outcome ? text.outcomes[outcome] : words.none),
            },
            { title: words.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      </Needs>
      {isOpen && <NewPush onClose={() => setOpen(false)} />}
    </Page>
  )
}

function NewPush({ onClose }: { readonly onClose: () => void }) {
  const begin = async (data: FormData): Promise<void> => {
    const { id } = await client.pushes.create({
      branch: textOf(data, 'branch'),
      message: textOf(data, 'message'),
      dryRun: data.get('dryRun') !== null,
      overwrite: data.get('overwrite') !== null,
    })
    navigate(href(`/pushes/${id}`))
  }
  return (
    <Dialog title={text.create} onClose={onClose}>
      <Form label={text.save} onSend={begin}>
        <Field name="branch" label={text.branch} value="stagecraft" />
        <Field name="message" label={text.message} value="Staging models" />
        <Check name="dryRun" label={text.dryRun} />
        <Check name="overwrite" label={text.overwrite} />
      </Form>
    </Dialog>
  )
}

/** A push: its plan, file by file, and its commit. */
export function Push({ params: { pushId = '' } }: PageProps) {
  const loaded = useResource(`push ${pushId}`, (signal) => client.pushes.get(pushId, { signal }), ['push'])
  const { data } = loaded
  const stop = async (): Promise<void> => {
    await client.pushes.cancel(pushId)
    loaded.reload()
  }
  return (
    <Page
      title={data?.message ?? text.one}
      up={{ href: href('/pushes'), title: text.title }}
      actions={data && <Stop state={data.state} label={text.cancel} stop={stop} />}
    >
      <Show loaded={loaded}>
        {(push) => (
          <>
            <Failure error={push.error} />
            <Facts push={push} />
            {push.plan && <Plan plan={push.plan} />}
          </>
        )}
      </Show>
    </Page>
  )
}

function Facts({ push }: { readonly push: PlannedPushResource }) {
  return (
    <dl>
      <dt>{words.state}</dt>
      <dd>
        <Pill state={push.state} />
      </dd>
      <dt>{text.branch}</dt>
      <dd>
        <code>{push.branch}</code>
      </dd>
      <dt>{text.outcome}</dt>
      <dd>{push.outcome ? text.outcomes[push.outcome] : words.none}</dd>
      {push.commit !== undefined && (
        <>
          <dt>{text.commit}</dt>
          <dd>
            <code>{push.commit}</code>
          </dd>
        </>
      )}
      <dt>{words.time}</dt>
      <dd>
        <Time at={push.createdAt} isFull />
      </dd>
    </dl>
  )
}

/** What a push does with each file. */
export function Plan({ plan }: { readonly plan: PushPlan }) {
  return (
    <>
      <h2>{text.plan}</h2>
      <Warnings title={text.warnings} warnings={plan.warnings} />
      {plan.files.length === 0 && <Empty text={text.planEmpty} />}
      {plan.files.map(({ action, conflicts, covers, diff, isDiffCut, notes, path }) => (
        <details class="box" key={path}>
          <summary>
            <b>{text.actions[action]}</b> <code>{path}</code> <span class="muted">{covers.join(', ')}</span>
          </summary>
          {[...conflicts, ...notes].map((line) => (
            <p key={line}>{line}</p>
          ))}
          {diff !== undefined && <Diff label={path} lines={linesOf(diff)} />}
          {isDiffCut && <p class="muted">{text.cut}</p>}
        </details>
      ))}
    </>
  )
}
