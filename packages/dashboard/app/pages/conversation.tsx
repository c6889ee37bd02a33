import type { MessageResource } from '@stagecraft/spec/api'
import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Pill, Time } from '../parts/basics.tsx'
import { Check, Confirm, Form, textOf } from '../parts/forms.tsx'
import { Failure } from '../parts/jobs.tsx'
import { saveText } from '../parts/save-text.ts'
import { Empty, Needs, Problem, Show } from '../parts/states.tsx'
import { href, navigate } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useAction, useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'
import { Answer } from './answer.tsx'

const text = words.assistant

const isOpen = ({ state }: MessageResource): boolean => state === 'queued' || state === 'running'

/** Shows a conversation: questions, and answers with citations. */
export function Conversation({ params: { conversationId = '' } }: PageProps) {
  const [isDeleting, setDeleting] = useState(false)
  const { error, run } = useAction()
  const loaded = useResource(
    `conversation ${conversationId}`,
    async (signal) => {
      const [conversation, { items }] = await Promise.all([
        client.conversations.get(conversationId, { signal }),
        client.messages.list(conversationId, { limit: 100 }, { signal }).page(),
      ])
      return { conversation, messages: items.toReversed() }
    },
    ['conversation', 'message'],
  )
  const download = async (): Promise<void> =>
    saveText(
      `${conversationId}.jsonl`,
      new TextDecoder().decode(await client.conversations.transcript(conversationId)),
    )
  const actions = (
    <>
      <button type="button" onClick={() => void run(download)}>
        {text.transcript}
      </button>
      <button type="button" class="danger" onClick={() => setDeleting(true)}>
        {words.delete}
      </button>
    </>
  )
  return (
    <Page
      title={loaded.data?.conversation.title ?? text.conversation}
      up={{ href: href('/assistant'), title: text.title }}
      actions={loaded.data && actions}
    >
      <Needs scope="read">
        <Problem error={error} title={words.problem.action} />
        <Show loaded={loaded}>
          {({ messages }) => <Messages {...{ conversationId, messages }} reload={loaded.reload} />}
        </Show>
      </Needs>
      {isDeleting && (
        <Confirm
          isDanger
          title={text.deleteTitle}
          text={text.deleteText}
          action={words.delete}
          name={loaded.data?.conversation.title ?? conversationId.slice(-6)}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await client.conversations.delete(conversationId)
            navigate(href('/assistant'))
          }}
        />
      )}
    </Page>
  )
}

interface MessagesProps extends AskProps {
  readonly messages: readonly MessageResource[]
}

function Messages({ conversationId, messages, reload }: MessagesProps) {
  return (
    <>
      {messages.length === 0 && <Empty text={text.noMessages} />}
      {messages.map((message, index) => (
        <Message key={message.id} message={message} isLast={index === messages.length - 1} reload={reload} />
      ))}
      {!messages.some(isOpen) && <Ask conversationId={conversationId} reload={reload} />}
    </>
  )
}

interface AskProps {
  readonly conversationId: string
  readonly reload: () => void
}

function Ask({ conversationId, reload }: AskProps) {
  const mayPropose = useMay('generate')
  const field = useRef<HTMLTextAreaElement>(null)
  const ask = async (data: FormData): Promise<void> => {
    const tools = data.get('propose') === null ? 'read' : 'propose'
    await client.messages.create(conversationId, { content: textOf(data, 'content'), tools, wait: false })
    reload()
  }
  return (
    <Form label={text.ask} onSend={ask}>
      <div class="field long">
        <label for="question">{text.question}</label>
        <textarea
          id="question"
          name="content"
          rows={3}
          required
          maxLength={8000}
          ref={field}
          aria-describedby="question-hint"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            field.current?.form?.requestSubmit()
          }}
        />
        <span class="hint" id="question-hint">
          {text.hint}
        </span>
      </div>
      {mayPropose && <Check name="propose" label={text.mayPropose} />}
    </Form>
  )
}

interface MessageProps {
  readonly message: MessageResource
  readonly isLast: boolean
  readonly reload: () => void
}

function Message({ isLast, message, reload }: MessageProps) {
  const { answer, content, conversationId, createdAt, error, id, state } = message
  const action = useAction()
  const act = async (work: 'cancel' | 'retry'): Promise<void> => {
    await client.messages[work](conversationId, id)
    reload()
  }
  const canRetry = isLast && (state === 'failed' || state === 'cancelled')
  return (
    <article class="box">
      <p class="question">{content}</p>
      <p class="muted">
        <Time at={createdAt} /> {state !== 'completed' && <Pill state={state} />}
      </p>
      {isOpen(message) && <Progress message={message} reload={reload} />}
      <Failure error={error} />
      {answer && <Answer answer={answer} />}
      <Problem error={action.error} title={words.problem.action} />
      {(isOpen(message) || canRetry) && (
        <button
          type="button"
          aria-disabled={action.isBusy}
          onClick={() => void action.run(() => act(canRetry ? 'retry' : 'cancel'))}
        >
          {canRetry ? words.retry : text.stop}
        </button>
      )}
    </article>
  )
}

interface ProgressProps {
  readonly message: MessageResource
  readonly reload: () => void
}

/** Shows the progress of a running answer. */
function Progress({ message: { conversationId, id }, reload }: ProgressProps) {
  const [said, setSaid] = useState('')
  const [tool, setTool] = useState('')
  useEffect(() => {
    const abort = new AbortController()
    const follow = async (): Promise<void> => {
      const events = client.messages.events(conversationId, id, { signal: abort.signal })
      for await (const { data = {}, event } of events) {
        if (event === 'message.started' || event === 'text.reset') setSaid('')
        if (event === 'text.delta') setSaid((before) => before + String(data['text']))
        if (event === 'tool.started') setTool(String(data['name']))
        if (event === 'tool.finished') setTool('')
      }
    }
    // Whatever ended the stream, the message has the current state.
    const settle = (): void => {
      if (!abort.signal.aborted) reload()
    }
    follow().then(settle, settle)
    return () => abort.abort()
  }, [conversationId, id])
  return (
    <div aria-live="polite">
      {said !== '' && <p class="answer">{said}</p>}
      <p class="muted">{tool === '' ? text.thinking : text.looking(tool)}</p>
    </div>
  )
}
