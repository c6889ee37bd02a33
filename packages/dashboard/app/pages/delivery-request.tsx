import type { DeliveryRequest } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { CopyButton } from '../parts/basics.tsx'
import { Field, Form, textOf } from '../parts/forms.tsx'
import { Show } from '../parts/states.tsx'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'

const text = words.deliveryRequest

/** Shows the headers and signature of a delivery, for resending it manually or checking it. */
export function Request({ deliveryId }: { readonly deliveryId: string }) {
  const loaded = useResource(
    `request ${deliveryId}`,
    (signal) => client.deliveries.request(deliveryId, { signal }),
    ['webhook'],
  )
  return (
    <>
      <h2>{text.title}</h2>
      <p class="muted">{text.text}</p>
      <Show loaded={loaded}>
        {(request) => (
          <>
            <Lines label={text.headers} lines={headerLines(request)} />
            <div class="row bar">
              <CopyButton text={curlOf(request)} label={text.curl} />
              <CopyButton text={request.body} label={text.copyBody} />
            </div>
            {isSecureContext && <Signature request={request} />}
          </>
        )}
      </Show>
    </>
  )
}

function headerLines({ headers, method, url }: DeliveryRequest): readonly string[] {
  return [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
}

function Lines({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  return (
    <div class="code" tabIndex={0} role="region" aria-label={label}>
      <pre>
        {lines.map((line, index) => (
          <span key={index}>{line}</span>
        ))}
      </pre>
    </div>
  )
}

/** Quotes a text for Unix shells. */
const quote = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`

function curlOf({ body, headers, method, url }: DeliveryRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  return [`curl -X ${method} ${quote(url)}`, ...lines, `--data-raw ${quote(body)}`].join(' \\\n  ')
}

/** Checks the signature with a secret, only in the browser. */
function Signature({ request }: { readonly request: DeliveryRequest }) {
  const [isValid, setValid] = useState<boolean>()
  return (
    <details>
      <summary>{text.check}</summary>
      <p class="muted">
        {text.how} <code>webhook-id.webhook-timestamp.body</code>
      </p>
      <Form
        label={text.checkNow}
        onSend={async (data) => setValid(await isSignedWith(textOf(data, 'secret'), request))}
      >
        <Field name="secret" type="password" label={text.secret} hint={text.secretHint} />
      </Form>
      {isValid !== undefined && (
        <p role="status" class={isValid ? 'ok' : 'failed'}>
          {isValid ? text.valid : text.invalid}
        </p>
      )}
    </details>
  )
}

async function isSignedWith(secret: string, { body, headers }: DeliveryRequest): Promise<boolean> {
  const isStandard = secret.startsWith('whsec_')
  const bytes = isStandard
    ? Uint8Array.from(atob(secret.slice(6)), (letter) => letter.charCodeAt(0))
    : new TextEncoder().encode(secret)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed)))
  const expected = `v1,${btoa(String.fromCharCode(...signature))}`
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected)
}
