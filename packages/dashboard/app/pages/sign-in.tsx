import { useEffect, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Field, Form, textOf } from '../parts/forms.tsx'
import { client } from '../service/client.ts'
import { useSession } from '../service/session.ts'

/** Takes the code out of the address, where it would stay in the history. */
function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code !== null) history.replaceState(null, '', location.pathname + location.search)
  return code
}

/** The sign-in: by a key, or by the code of the link that the service prints. */
export function SignIn() {
  const { signedIn } = useSession()
  const [code, setCode] = useState(takeCode)
  const [isUsedUp, setUsedUp] = useState(false)
  useEffect(() => {
    document.title = `${words.signIn.submit} · ${words.app}`
    if (code === null) return
    client.sessions.create({ code }).then(
      async () => signedIn(await client.sessions.get()),
      () => {
        setUsedUp(true)
        setCode(null)
      },
    )
  }, [])
  if (code !== null) return <main class="enter">{words.signIn.coding}</main>
  return (
    <main class="enter">
      <h1>{words.signIn.title}</h1>
      {isUsedUp && (
        <p class="box warn" role="alert">
          {words.signIn.codeFailed}
        </p>
      )}
      <Form
        label={words.signIn.submit}
        onSend={async (data) => signedIn(await client.sessions.create({ key: textOf(data, 'key') }))}
      >
        <p />
        <Field label={words.signIn.key} name="key" type="password" hint={words.signIn.hint} />
      </Form>
      <p class="muted">{words.signIn.help}</p>
      <pre class="code" tabIndex={0}>
        {words.signIn.command}
      </pre>
    </main>
  )
}
