import type { WebhookResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { fieldTime, isoTime } from '../parts/format.ts'
import { Check, Confirm, Dialog, Field, Form, SecretDialog, textOf } from '../parts/forms.tsx'
import { Problem } from '../parts/states.tsx'
import { href, navigate } from '../router.ts'
import { client } from '../service/client.ts'
import { useAction } from '../service/resource.ts'
import { useSession } from '../service/session.ts'
import { WebhookFields, webhookOf } from './new-webhook.tsx'

/** The open dialog of the webhook page. */
export type Open = 'edit' | 'rotate' | 'replay' | 'delete' | undefined

interface WindowsProps {
  readonly webhook: WebhookResource
  readonly open: Open
  readonly close: () => void
  readonly reload: () => void
}

/** Shows the open dialog. */
export function Windows({ close, open, reload, webhook }: WindowsProps) {
  const text = words.webhooks
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined)
    return (
      <SecretDialog
        title={text.secretTitle}
        text={text.secretText}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    )
  if (open === 'edit')
    return (
      <Dialog title={text.edit} onClose={close}>
        <Form
          label={words.save}
          onSend={async (data) => {
            await client.webhooks.update(webhook.id, webhookOf(data))
            close()
            reload()
          }}
        >
          <WebhookFields {...webhook} />
        </Form>
      </Dialog>
    )
  if (open === 'rotate')
    return (
      <Confirm
        title={text.rotate}
        text={text.rotateText}
        action={text.rotate}
        onClose={close}
        onConfirm={async () => {
          const rotated = await client.webhooks.rotateSecret(webhook.id, {})
          close()
          setSecret(rotated.secret)
          reload()
        }}
      />
    )
  if (open === 'delete')
    return (
      <Confirm
        isDanger
        title={text.deleteTitle}
        text={text.deleteText}
        action={words.delete}
        name={new URL(webhook.url).host}
        onClose={close}
        onConfirm={async () => {
          await client.webhooks.delete(webhook.id)
          navigate(href('/webhooks'))
        }}
      />
    )
  return open === 'replay' ? <Replay webhookId={webhook.id} onClose={close} /> : null
}

/** Sends the events of a period again, after showing their number. */
function Replay({ onClose, webhookId }: { readonly webhookId: string; readonly onClose: () => void }) {
  const text = words.webhooks
  const { say } = useSession()
  const { error, isBusy, run } = useAction()
  const [counted, setCounted] = useState<{
    readonly since: string
    readonly only: 'all' | 'missed'
    readonly count: number
  }>()
  if (!counted)
    return (
      <Dialog title={text.replay} onClose={onClose}>
        <Form
          label={text.count}
          onSend={async (data) => {
            const since = isoTime(textOf(data, 'since'))
            const only = data.get('missed') === null ? 'all' : 'missed'
            const { deliveries } = await client.webhooks.replay(webhookId, { since, only, dryRun: true })
            setCounted({ since, only, count: deliveries })
          }}
        >
          <Field
            label={text.replaySince}
            name="since"
            type="datetime-local"
            value={fieldTime(new Date(Date.now() - 86_400_000).toISOString())}
          />
          <Check label={text.replayMissed} name="missed" />
        </Form>
      </Dialog>
    )
  const send = async (): Promise<void> => {
    const { deliveries } = await client.webhooks.replay(webhookId, {
      since: counted.since,
      only: counted.only,
    })
    say(text.replayed(deliveries))
    onClose()
  }
  return (
    <Dialog title={text.replay} onClose={onClose}>
      <p>{counted.count === 0 ? text.replayNone : text.replayCount(counted.count)}</p>
      <Problem error={error} title={words.problem.action} />
      <div class="row">
        <button
          type="button"
          class="main"
          aria-disabled={isBusy}
          disabled={counted.count === 0}
          onClick={() => void run(send)}
        >
          {text.send}
        </button>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  )
}
