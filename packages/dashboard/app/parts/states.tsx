import type { Scope } from '@stagecraft/spec/api'
import type { ComponentChildren } from 'preact'
import { words } from '../messages.ts'
import { factsOf, messageOf } from '../service/client.ts'
import type { Loaded } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

/** Something that was loaded, or what stands in its place until it is there. */
export function Show<Data>({
  children,
  loaded: { data, error, reload },
}: {
  readonly loaded: Loaded<Data>
  readonly children: (data: Data) => ComponentChildren
}) {
  if (error !== undefined) return <Problem error={error} reload={reload} />
  if (data === undefined) return <p class="wait">{words.loading}</p>
  return <>{children(data)}</>
}

/** A failure, with the request that operators can look up. */
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

/** A page for keys with a scope; others are told which. */
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
