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

/** Makes a secret as the standard for webhooks writes it, of 256 bits of chance. */
function makeSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
}

async function create(data: FormData): Promise<Created> {
  const chosen = data.getAll('events')
  const events = Object.keys(EVENT_KINDS).filter((kind) => chosen.includes(kind)) as EventKind[]
  if (events.length === 0) throw new Error(words.webhooks.chooseEvent)
  const secret = makeSecret()
  const description = textOf(data, 'description')
  const url = textOf(data, 'url')
  const { id } = await client.webhooks.create({
    url,
    events,
    secret,
    ...(description !== '' && { description }),
  })
  return { id, secret }
}

/** The form for a webhook. */
export function NewWebhook() {
  const text = words.webhooks
  const [created, setCreated] = useState<Created>()
  return (
    <Page title={text.create} up={{ href: href('/webhooks'), title: text.title }}>
      <Needs scope="webhooks">
        <Form label={text.save} onSend={async (data) => setCreated(await create(data))}>
          <Field
            label={text.url}
            name="url"
            type="url"
            hint={text.urlHint}
            placeholder="https://example.com/hooks"
          />
          <Choices
            label={text.events}
            name="events"
            ticked={['generation.completed', 'generation.failed']}
            choices={Object.entries(EVENT_KINDS).map(([value, hint]) => ({ value, title: value, hint }))}
          />
          <Field label={text.description} name="description" hint={text.descriptionHint} isOptional />
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
