import { EVENT_KINDS, type EventKind } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page } from '../parts/basics.tsx'
import { Choices, Field, Form, SecretDialog, textOf } from '../parts/forms.tsx'
import { Needs } from '../parts/states.tsx'
import { href, navigate } from '../router.ts'
import { client } from '../service/client.ts'

interface Created {
  readonly id: string
  readonly secret: string
}

/** Creates a secret in the format of Standard Webhooks, with 256 random bits. */
function makeSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
}

/** Returns the values of the form. */
export function webhookOf(data: FormData) {
  const chosen = data.getAll('events')
  const events = Object.keys(EVENT_KINDS).filter((kind) => chosen.includes(kind)) as EventKind[]
  if (events.length === 0) throw new Error(words.webhooks.chooseEvent)
  return { url: textOf(data, 'url'), events, description: textOf(data, 'description') }
}

async function create(data: FormData): Promise<Created> {
  const secret = makeSecret()
  const { description, ...rest } = webhookOf(data)
  const { id } = await client.webhooks.create({
    ...rest,
    secret,
    ...(description !== '' && { description }),
  })
  return { id, secret }
}

interface WebhookFieldsProps {
  readonly url?: string
  readonly events: readonly string[]
  readonly description?: string | undefined
}

/** The fields of a webhook. */
export function WebhookFields({ description = '', events, url = '' }: WebhookFieldsProps) {
  const text = words.webhooks
  return (
    <>
      <Field
        label={text.url}
        name="url"
        type="url"
        hint={text.urlHint}
        placeholder="https://example.com/hooks"
        value={url}
      />
      <Choices
        label={text.events}
        name="events"
        ticked={events}
        choices={Object.entries(EVENT_KINDS).map(([value, hint]) => ({ value, title: value, hint }))}
      />
      <Field
        label={text.description}
        name="description"
        hint={text.descriptionHint}
        value={description}
        isOptional
      />
    </>
  )
}

/** The form for a webhook. */
export function NewWebhook() {
  const text = words.webhooks
  const [created, setCreated] = useState<Created>()
  return (
    <Page title={text.create} up={{ href: href('/webhooks'), title: text.title }}>
      <Needs scope="webhooks">
        <Form label={text.save} onSend={async (data) => setCreated(await create(data))}>
          <WebhookFields events={['generation.completed', 'generation.failed']} />
        </Form>
        {created && (
          <SecretDialog
            title={text.secretTitle}
            text={text.secretText}
            secret={created.secret}
            onClose={() => navigate(href(`/webhooks/${created.id}`))}
          />
        )}
      </Needs>
    </Page>
  )
}
