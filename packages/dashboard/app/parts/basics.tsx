import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { useSession } from '../service/session.ts'
import { fullTime, relativeTime, timeTitle } from './format.ts'

interface PageProps {
  readonly title: string
  /** The page above this one. */
  readonly up?: { readonly href: string; readonly title: string }
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** The frame of a page: its title, the way up, and what can be done. */
export function Page({ actions, children, title, up }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.app}`
  }, [title])
  return (
    <>
      {up && (
        <p class="crumb">
          <a href={up.href}>← {up.title}</a>
        </p>
      )}
      <div class="head">
        <h1>{title}</h1>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
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
  failing: 'warned',
}

/** A state as a word; its colour only repeats it. */
export function Pill({ state }: { readonly state: string }) {
  const names: Readonly<Record<string, string>> = words.states
  return <span class={`pill ${LOOKS[state] ?? 'muted'}`}>{names[state] ?? state}</span>
}

/** A time, as it is from now; in full on a closer look. */
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

/** A path that breaks behind its folders. */
export function Path({ path }: { readonly path: string }) {
  return <>{path.split(/(?<=\/)/).map((part, index) => [index > 0 && <wbr />, part])}</>
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

/** A button that copies a text, and says that it did. */
export function CopyButton({ label = words.copy, text }: { readonly text: string; readonly label?: string }) {
  const { say } = useSession()
  return (
    <button
      type="button"
      onClick={() => {
        copyText(text).then(
          () => say(words.copied),
          (error: unknown) => say(String(error)),
        )
      }}
    >
      {label}
    </button>
  )
}

/** Copies by the clipboard of the browser which, over plain HTTP, pages do not have. */
async function copyText(text: string): Promise<void> {
  if (isSecureContext) return await navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  ;(document.querySelector('dialog[open]') ?? document.body).append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** Facts by their names; those that are not known are left out. */
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
