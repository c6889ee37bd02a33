import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { readsAsCurl } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import { focusTitle } from './focus.ts'
import { fullTime, relativeTime, timeTitle } from './format.ts'

interface PageProps {
  readonly title: string
  /** The parent page. */
  readonly up?: { readonly href: string; readonly title: string }
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/**
 * The frame of a page: its title, which gets the focus when the page opens, the link to the parent page, and actions.
 */
export function Page({ actions, children, title, up }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.app}`
  }, [title])
  useEffect(() => {
    if (navigator.userActivation.hasBeenActive) focusTitle()
  }, [])
  return (
    <>
      {up && (
        <p class="crumb">
          <a href={up.href}>← {up.title}</a>
        </p>
      )}
      <div class="head">
        <h1 tabIndex={-1}>
          <Path path={title} />
        </h1>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
      <p class="foot">
        <CopyButton look="link" label={words.curl} text={readsAsCurl} />
      </p>
    </>
  )
}

const LOOKS: Readonly<Record<string, string>> = {
  completed: 'ok',
  active: 'ok',
  delivered: 'ok',
  generated: 'ok',
  failed: 'failed',
  exhausted: 'failed',
  disabled: 'failed',
  gone: 'failed',
  expired: 'warned',
  error: 'failed',
  warning: 'warned',
  refused: 'failed',
  done: 'ok',
  applied: 'ok',
  paused: 'warned',
  source: 'warned',
  files: 'warned',
  failing: 'warned',
}

/** Shows a state as a word. Its colour adds no information. */
export function Pill({ state }: { readonly state: string }) {
  const names: Readonly<Record<string, string>> = { ...words.states, ...words.units.changes }
  return <span class={`pill ${LOOKS[state] ?? 'muted'}`}>{names[state] ?? state}</span>
}

/** Shows a relative time, and the full time on hover. */
export function Time({ at, isFull = false }: { readonly at: string | undefined; readonly isFull?: boolean }) {
  const [, setNow] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (at === undefined) return <span class="muted">{words.none}</span>
  return (
    <time dateTime={at} title={timeTitle(at)}>
      {isFull ? fullTime(at) : relativeTime(at)}
    </time>
  )
}

/** Shows a path or a name with line breaks allowed between its parts. */
export function Path({ path }: { readonly path: string }) {
  return (
    <>{path.split(/(?<=[/._](?![/._])|[a-z](?=[A-Z]))/).map((part, index) => [index > 0 && <wbr />, part])}</>
  )
}

export function Tags({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.map((name) => (
        <span class="tag" key={name}>
          {name}
        </span>
      ))}
    </>
  )
}

/** Shows an id, or its end, with a button to copy it on hover. */
export function Id({ id, isShort = false }: { readonly id: string; readonly isShort?: boolean }) {
  return (
    <span class="id">
      <code title={id}>{isShort ? id.slice(-6) : id}</code>{' '}
      <CopyButton look="link" title={`${words.copy} ${id}`} text={id} />
    </span>
  )
}

interface CopyButtonProps {
  /** Computes the text on click, if it is not known before. */
  readonly text: string | (() => string)
  readonly label?: string
  /** The accessible name of the button. Default: its label. */
  readonly title?: string
  readonly look?: 'link'
}

/** A button that copies a text and confirms it. */
export function CopyButton({ label = words.copy, look, text, title }: CopyButtonProps) {
  const { say } = useSession()
  return (
    <button
      type="button"
      class={look ?? ''}
      {...(title !== undefined && { 'aria-label': title })}
      onClick={() => {
        copyText(typeof text === 'string' ? text : text()).then(
          () => say(words.copied),
          (error: unknown) => say(String(error)),
        )
      }}
    >
      {label}
    </button>
  )
}

/** Copies with the browser's clipboard, which pages over plain HTTP do not have. */
async function copyText(text: string): Promise<void> {
  if (isSecureContext) return await navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  ;(document.querySelector('dialog[open]') ?? document.body).append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** Lists facts by name; unknown ones are left out. */
export function FactList({ facts }: { readonly facts: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl>
      {Object.entries(facts).map(
        ([name, value]) =>
          value !== undefined && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}

export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <div class="code" tabIndex={0} role="region" aria-label={label}>
      <pre>
        {JSON.stringify(value, null, 2)
          .split('\n')
          .map((line, index) => (
            <span key={index} data-line={index + 1}>
              {line}
            </span>
          ))}
      </pre>
    </div>
  )
}
