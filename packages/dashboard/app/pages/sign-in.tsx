import { useEffect, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import type { PageProps } from '../page-props.ts'
import { Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { Problem } from '../parts/states.tsx'
import { client, isSignedOut } from '../service/client.ts'
import { SessionContext, useSession } from '../service/session.ts'

/** Shows the sign-in over a page whose session has ended. The page stays hidden with its input. */
export function SignInAgain() {
  const state = useSession()
  useEffect(() => {
    // Another tab may have signed in. If none has, the sign-in stays.
    const look = () => client.sessions.get().then(state.signedIn, () => undefined)
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [])
  return (
    <Dialog isFirm title={words.signIn.again} onClose={() => undefined}>
      <p>{words.signIn.againText}</p>
      <SessionContext.Provider value={{ ...state, session: undefined }}>
        <SignInForm />
      </SessionContext.Provider>
    </Dialog>
  )
}

function SignInForm() {
  const { signedIn } = useSession()
  return (
    <Form
      label={words.signIn.submit}
      onSend={async (data) => signedIn(await client.sessions.create({ key: textOf(data, 'key') }))}
    >
      <Field isFirst label={words.signIn.key} name="key" type="password" hint={words.signIn.hint} />
    </Form>
  )
}

/** Shows the sign-in: by a key, or by the code in the link that the service prints. */
export function SignIn({ params }: PageProps) {
  const { signedIn } = useSession()
  const [code, setCode] = useState(params['code'] ?? null)
  const [error, setError] = useState<unknown>()
  const enter = (): void => {
    if (code === null) return
    setError(undefined)
    client.sessions.create({ code }).then(signedIn, (failure: unknown) => {
      setError(failure)
      if (isSignedOut(failure)) setCode(null)
    })
  }
  useEffect(() => {
    document.title = `${words.signIn.submit} · ${words.app}`
    enter()
  }, [])
  if (code !== null)
    return (
      <main class="enter">
        {error === undefined ? (
          words.signIn.coding
        ) : (
          <Problem error={error} title={words.problem.action} reload={enter} />
        )}
      </main>
    )
  return (
    <main class="enter">
      <h1>{words.signIn.title}</h1>
      {error !== undefined && (
        <p class="box warn" role="alert">
          {words.signIn.codeFailed}
        </p>
      )}
      <SignInForm />
      <p class="muted">{words.signIn.help}</p>
      <pre class="code" tabIndex={0}>
        {words.signIn.command}
      </pre>
    </main>
  )
}
