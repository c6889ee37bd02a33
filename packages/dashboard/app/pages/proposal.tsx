import type { ProposalResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { FactList, Page, Pill, Time } from '../parts/basics.tsx'
import { Diff, linesOf } from '../parts/diff.tsx'
import { Check, Confirm, Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { Needs, Show } from '../parts/states.tsx'
import { href, navigate } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay, useSession } from '../service/session.ts'

const text = words.assistant

/** Shows a proposed change: its evidence, its diff, and the push that applies it. */
export function Proposal({ params: { proposalId = '' } }: PageProps) {
  const [isOpen, setOpen] = useState(false)
  const mayWrite = useMay('write')
  const loaded = useResource(
    `proposal ${proposalId}`,
    (signal) => client.proposals.get(proposalId, { signal }),
    ['proposal', 'push'],
  )
  const apply = async (data: FormData): Promise<void> => {
    const dryRun = data.get('dryRun') !== null
    const { id } = await client.proposals.apply(proposalId, { branch: textOf(data, 'branch'), dryRun })
    navigate(href(`/pushes/${id}`))
  }
  const actions = (
    <>
      {mayWrite && loaded.data?.state === 'open' && (
        <button type="button" class="main" onClick={() => setOpen(true)}>
          {text.apply}…
        </button>
      )}
      {loaded.data && <Discard proposal={loaded.data} />}
    </>
  )
  return (
    <Page
      title={loaded.data?.title ?? text.proposal}
      up={{ href: href('/assistant'), title: text.title }}
      actions={actions}
    >
      <Needs scope="read">
        <Show loaded={loaded}>{(proposal) => <Shown proposal={proposal} />}</Show>
      </Needs>
      {isOpen && (
        <Dialog title={text.apply} onClose={() => setOpen(false)}>
          <Form label={text.apply} onSend={apply}>
            <Field name="branch" label={words.pushes.branch} value="stagecraft-proposal" />
            <Check name="dryRun" label={words.pushes.dryRun} />
          </Form>
        </Dialog>
      )}
    </Page>
  )
}

/** Deletes the proposal after confirmation. */
function Discard({ proposal: { id, title } }: { readonly proposal: ProposalResource }) {
  const [isOpen, setOpen] = useState(false)
  const { say } = useSession()
  const discard = async (): Promise<void> => {
    await client.proposals.discard(id)
    navigate(href('/assistant'))
    say(text.discarded)
  }
  if (!useMay('generate')) return null
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {text.discard}
      </button>
      {isOpen && (
        <Confirm
          isDanger
          title={text.discardTitle}
          text={text.discardText}
          action={text.discard}
          name={title}
          onClose={() => setOpen(false)}
          onConfirm={discard}
        />
      )}
    </>
  )
}

interface ShownProps {
  readonly proposal: ProposalResource
}

function Shown({ proposal }: ShownProps) {
  const { conversationId, evidence, expiresAt, files, notes, pushId, state } = proposal
  return (
    <>
      <FactList
        facts={{
          [words.state]: <Pill state={state} />,
          [text.expires]: <Time at={expiresAt} />,
          [text.conversation]: conversationId && (
            <a href={href(`/assistant/${conversationId}`)}>{text.read}</a>
          ),
          [words.pushes.one]: pushId && (
            <>
              <a href={href(`/pushes/${pushId}`)}>{text.read}</a>{' '}
              {(state === 'open' || state === 'expired') && <span class="failed">{text.pushFailed}</span>}
            </>
          ),
        }}
      />
      {[...evidence, ...notes].map((line) => (
        <p key={line}>{line}</p>
      ))}
      {files.map((file) => (
        <File key={file.path} file={file} />
      ))}
    </>
  )
}

interface FileProps {
  readonly file: ProposalResource['files'][number]
}

function File({ file: { change, diff, path } }: FileProps) {
  return (
    <section aria-label={text.changes[change]}>
      <p>
        <b>{text.changes[change]}</b> <code>{path}</code>
      </p>
      <Diff label={path} lines={linesOf(diff)} />
    </section>
  )
}
