import type { Scope } from '@stagecraft/spec/api'
import type { ComponentChildren } from 'preact'
import { words } from '../messages.ts'
import { href, usePlace } from '../router.ts'
import { factsOf, messageOf } from '../service/client.ts'
import type { Loaded } from '../service/resource.ts'
import { useMay, useSession } from '../service/session.ts'

/** Shows loaded data, or a placeholder until it is loaded. Data that could not be loaded again stays, below the error. */
export function Show<Data>({
  children,
  loaded: { data, error, reload },
}: {
  readonly loaded: Loaded<Data>
  readonly children: (data: Data) => ComponentChildren
}) {
  const { isLost } = useSession()
  if (data !== undefined)
    return (
      <>
        <Problem error={isLost ? undefined : error} reload={reload} />
        {children(data)}
      </>
    )
  return error === undefined ? <p class="wait">{words.loading}</p> : <Problem error={error} reload={reload} />
}

/** Shows an error with its request id, which operators can look up. */
export function Problem({
  error,
  reload,
  title = words.problem.title,
}: {
  readonly error: unknown
  readonly reload?: () => void
  readonly title?: string
}) {
  if (error === undefined) return null
  const { code, requestId } = factsOf(error)
  return (
    <div class="box bad" role="alert">
      <p>
        <b>{title}.</b> {messageOf(error)}
      </p>
      {code !== '' && (
        <p class="muted">
          <code>{code}</code>{' '}
          {requestId !== '' && (
            <>
              · {words.problem.request} <code>{requestId}</code>
            </>
          )}
        </p>
      )}
      {reload && (
        <button type="button" onClick={reload}>
          {words.retry}
        </button>
      )}
    </div>
  )
}

export function Empty({ children, text }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{text}</p>
      {children}
    </div>
  )
}

/** Shows a list that a filter leaves empty, with a way to clear it. */
export function NoMatch({ text }: { readonly text: string }) {
  return (
    <Empty text={text}>
      <a href={href(usePlace().path)}>{words.clear}</a>
    </Empty>
  )
}

/** Shows a page to keys with a scope; others see which scope they need. */
export function Needs({ children, scope }: { readonly scope: Scope; readonly children: ComponentChildren }) {
  if (useMay(scope)) return <>{children}</>
  return (
    <div class="box warn">
      <p>
        <b>{words.problem.forbidden}.</b> {words.problem.forbiddenText(scope)}
      </p>
    </div>
  )
}
