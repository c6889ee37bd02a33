import type { PlannedPushResource, PushPlan } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Id, Page, Pill, Time } from '../parts/basics.tsx'
import { Capped } from '../parts/capped.tsx'
import { Diff, linesOf } from '../parts/diff.tsx'
import { number } from '../parts/format.ts'
import { Select } from '../parts/filters.tsx'
import { Check, Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { asJobState, Failure, JOB_OPTIONS, Stop, Warnings } from '../parts/jobs.tsx'
import { Empty, Needs, NoMatch, Show } from '../parts/states.tsx'
import { List, PAGE, useList } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

const text = words.pushes

/** Lists the pushes of the project, and starts or plans new ones. */
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
          empty={
            state ? (
              <NoMatch text={text.emptyFilter} />
            ) : (
              <Empty text={text.empty}>{mayWrite && button}</Empty>
            )
          }
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

/** Shows a push: its plan, file by file, and its commit. */
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
      <Needs scope="read">
        <Show loaded={loaded}>
          {(push) => (
            <>
              <Failure error={push.error} />
              <Facts push={push} />
              {push.plan && <Plan plan={push.plan} />}
            </>
          )}
        </Show>
      </Needs>
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
      <dt>{words.id}</dt>
      <dd>
        <Id id={push.id} />
      </dd>
    </dl>
  )
}

/** Shows the action of a push on each file. */
export function Plan({ plan }: { readonly plan: PushPlan }) {
  return (
    <>
      <h2>{text.plan}</h2>
      <Warnings title={text.warnings} warnings={plan.warnings} />
      {plan.files.length === 0 && <Empty text={text.planEmpty} />}
      {ACTIONS.map((action) => (
        <Group key={action} action={action} files={plan.files.filter((file) => file.action === action)} />
      ))}
    </>
  )
}

type PlannedFile = PushPlan['files'][number]
type FileAction = PlannedFile['action']

/** The order of actions: those that need a person first, unchanged files last. */
const ACTIONS: readonly FileAction[] = [
  'conflict',
  'create',
  'update',
  'merge',
  'orphan',
  'foreign',
  'unchanged',
]

interface GroupProps {
  readonly action: FileAction
  readonly files: readonly PlannedFile[]
}

/** Lists the files of a plan with one action. Unchanged files are collapsed. */
function Group({ action, files }: GroupProps) {
  if (files.length === 0) return null
  return (
    <details class="group" open={action !== 'unchanged' && action !== 'foreign'}>
      <summary>
        <b>{text.actions[action]}</b> <span class="muted">{number(files.length)}</span>
      </summary>
      <Capped items={files}>{(shown) => shown.map((file) => <File key={file.path} file={file} />)}</Capped>
    </details>
  )
}

/** Shows a file of a plan. Its diff is rendered when opened. */
function File({ file }: { readonly file: PlannedFile }) {
  const { conflicts, covers, diff, isDiffCut, notes, path } = file
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="box" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{path}</code> <span class="muted">{covers.join(', ')}</span>
      </summary>
      {[...conflicts, ...notes].map((line) => (
        <p key={line}>{line}</p>
      ))}
      {isOpen && diff !== undefined && <Diff label={path} lines={linesOf(diff)} />}
      {isDiffCut && <p class="muted">{text.cut}</p>}
    </details>
  )
}
